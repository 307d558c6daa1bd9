// The page for a person whose sign-in or sign-out is refused, in English or German. Programs get problem documents.
import type { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-table.ts';
import type { RefusalPage } from '../route.ts';
import { namesByWeight } from '../weighted-list.ts';
import { htmlPage } from './pages.ts';

interface RefusedRequest {
  search: string;
  requestId: string;
  acceptLanguage: string | null;
  publicUrl: string;
}

interface Text {
  title: string;
  text: string;
  /** For the operator: what to set or to check. */
  operator: string;
}

type Kind = 'address' | 'denied' | 'over' | 'account' | 'strength' | 'moment' | 'failed';

/** `{address}`, `{variable}` and `{publicUrl}` are replaced. */
interface Texts extends Record<Kind, Text> {
  again: string;
  forOperator: string;
  unknownAddress: string;
  reference: string;
}

const english: Texts = {
  address: {
    title: 'This address is not set up',
    text: 'The application wants you to return to {address}, which Frontdesk does not know.',
    operator:
      'Add the address to {variable}, character for character, and restart Frontdesk. The identity provider has to allow it too.',
  },
  denied: {
    title: 'You were not signed in',
    text: 'The sign-in was cancelled, or your company does not let you use this application.',
    operator:
      'The identity provider decides this: check there who may use the client named in <code>OIDC_CLIENT_ID</code>.',
  },
  over: {
    title: 'This sign-in cannot be continued',
    text: 'It began in another browser, was finished already, or took longer than ten minutes. Start again.',
    operator:
      'If this happens every time, the browser does not send the cookie from the start of the sign-in. <code>PUBLIC_URL</code> is {publicUrl}. People have to use Frontdesk at this address, and applications have to be on the same site.',
  },
  account: {
    title: 'Your account cannot be used here',
    text: 'You signed in, but Frontdesk cannot use your account.',
    operator:
      'The log contains the reason, under the request ID. Check <code>EMPLOYEE_ID_CLAIM</code> and <code>ROLE_CLAIMS</code>.',
  },
  strength: {
    title: 'A stronger sign-in is needed',
    text: 'Sign in again, and use the second factor that you are asked for.',
    operator:
      'The log says what was missing, under the request ID. Check <code>OIDC_ACR_VALUES</code> and <code>OIDC_MAX_AGE_SECONDS</code>.',
  },
  moment: {
    title: 'This is not possible at the moment',
    text: 'Try again in a minute.',
    operator: 'The log contains the reason, under the request ID.',
  },
  failed: {
    title: 'This did not work',
    text: 'Try again. If it keeps happening, give the request ID to the operator of the application.',
    operator:
      'The log contains the reason, under the request ID. <code>frontdesk check</code> tries the settings that begin with <code>OIDC_</code>.',
  },
  again: 'Try again',
  forOperator: 'For the operator',
  unknownAddress: 'an address',
  reference: 'Request ID',
};

const german: Texts = {
  address: {
    title: 'Diese Adresse ist nicht eingerichtet',
    text: 'Die Anwendung möchte Sie zu {address} zurückschicken. Frontdesk kennt diese Adresse nicht.',
    operator:
      'Ergänzen Sie die Adresse in {variable}, Zeichen für Zeichen, und starten Sie Frontdesk neu. Auch der Identitätsanbieter muss sie erlauben.',
  },
  denied: {
    title: 'Sie wurden nicht angemeldet',
    text: 'Die Anmeldung wurde abgebrochen, oder Ihre Firma erlaubt Ihnen diese Anwendung nicht.',
    operator:
      'Darüber entscheidet der Identitätsanbieter: Prüfen Sie dort, wer den Client aus <code>OIDC_CLIENT_ID</code> verwenden darf.',
  },
  over: {
    title: 'Diese Anmeldung lässt sich nicht fortsetzen',
    text: 'Die Anmeldung hat in einem anderen Browser begonnen, ist schon abgeschlossen oder hat länger als zehn Minuten gedauert. Beginnen Sie von vorn.',
    operator:
      'Geschieht das jedes Mal, sendet der Browser das Cookie vom Beginn der Anmeldung nicht. <code>PUBLIC_URL</code> ist {publicUrl}: Frontdesk muss unter dieser Adresse aufgerufen werden, und Anwendungen müssen zur selben Website gehören.',
  },
  account: {
    title: 'Ihr Konto kann hier nicht verwendet werden',
    text: 'Sie haben sich angemeldet, aber Frontdesk kann Ihr Konto nicht verwenden.',
    operator:
      'Der Grund steht im Log unter der Anfrage-ID. Prüfen Sie <code>EMPLOYEE_ID_CLAIM</code> und <code>ROLE_CLAIMS</code>.',
  },
  strength: {
    title: 'Eine stärkere Anmeldung ist nötig',
    text: 'Melden Sie sich erneut an und verwenden Sie den zweiten Faktor, nach dem Sie gefragt werden.',
    operator:
      'Was gefehlt hat, steht im Log unter der Anfrage-ID. Prüfen Sie <code>OIDC_ACR_VALUES</code> und <code>OIDC_MAX_AGE_SECONDS</code>.',
  },
  moment: {
    title: 'Das ist im Moment nicht möglich',
    text: 'Versuchen Sie es in einer Minute erneut.',
    operator: 'Der Grund steht im Log unter der Anfrage-ID.',
  },
  failed: {
    title: 'Das hat nicht funktioniert',
    text: 'Versuchen Sie es erneut. Wenn das Problem weiterhin besteht, nennen Sie dem Betreiber der Anwendung die Anfrage-ID.',
    operator:
      'Der Grund steht im Log unter der Anfrage-ID. <code>frontdesk check</code> probiert die Einstellungen aus, die mit <code>OIDC_</code> beginnen.',
  },
  again: 'Erneut versuchen',
  forOperator: 'Für den Betreiber',
  unknownAddress: 'einer Adresse',
  reference: 'Anfrage-ID',
};

/** Every other code is `failed`. */
const kinds: Partial<Record<ProblemCode, Kind>> = {
  'invalid-redirect': 'address',
  'login-denied': 'denied',
  'login-session-lost': 'over',
  'login-mismatch': 'over',
  'code-rejected': 'over',
  'missing-code': 'over',
  'invalid-code': 'over',
  'invalid-callback': 'over',
  'account-not-permitted': 'account',
  'stronger-sign-in-failed': 'strength',
  'idp-unavailable': 'moment',
  'idp-timeout': 'moment',
  'storage-unavailable': 'moment',
  starting: 'moment',
  'rate-limited': 'moment',
};

/** The only part of the request that the page shows is the address to return to. */
export function refusalPage(
  { code }: Pick<Problem, 'code'>,
  { root, again, address: { parameter, variable } }: RefusalPage,
  { search, requestId, acceptLanguage, publicUrl }: RefusedRequest,
): string {
  const lang = preferredLanguage(acceptLanguage);
  const texts = lang === 'de' ? german : english;
  const { title, text, operator } = texts[kinds[code] ?? 'failed'];
  const address = shownAddress(new URLSearchParams(search).get(parameter));
  const values: Record<string, string> = {
    address: address === undefined ? texts.unknownAddress : codeElement(address),
    variable: codeElement(variable),
    publicUrl: codeElement(publicUrl),
  };
  const fill = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return htmlPage({
    title: `${title} · Frontdesk`,
    lang,
    root,
    body: `<main class="sheet">
<p class="eyebrow">Frontdesk</p>
<h1>${title}</h1>
<p>${fill(text)}</p>
<p><a class="button" href="${Bun.escapeHTML(again(search))}">${texts.again}</a></p>
<h2>${texts.forOperator}</h2>
<p>${fill(operator)}</p>
<p class="quiet">${texts.reference}: <code>${requestId}</code>, <a href="${root}problems/${code}">${code}</a></p>
</main>`,
  });
}

const codeElement = (text: string) => `<code>${Bun.escapeHTML(text)}</code>`;

const longestAddress = 200;

/** Undefined if it does not look like an address, because otherwise a link could put any sentence on our page. */
function shownAddress(given: string | null): string | undefined {
  const isAddress = given !== null && given.length <= longestAddress && /^[a-z][a-z0-9+.-]*:\/\/[!-~]+$/i.test(given);
  return isAddress ? given : undefined;
}

function preferredLanguage(acceptLanguage: string | null): 'en' | 'de' {
  const known = namesByWeight(acceptLanguage ?? '').map((tag) => tag.split('-')[0]);
  return known.find((tag) => tag === 'en' || tag === 'de') === 'de' ? 'de' : 'en';
}
