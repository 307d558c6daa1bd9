// The API page in the browser: Swagger UI, and a sign-in that provides the token for "Try it out".
const status = document.querySelector('#status');
const signIn = document.querySelector('#sign-in');
const signInAddress = signIn?.getAttribute('href');

// Swagger UI has a dark scheme, but does not turn it on automatically.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const ui = window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  syntaxHighlight: { activated: true },
  onComplete: finishSignIn,
  responseInterceptor: noticeSignOut,
});

function noticeSignOut(response) {
  if (response.status === 204 && response.url.endsWith('/auth/logout')) {
    ui.authActions.logout(['accessToken']);
    status.textContent = 'Signed out.';
    offerSignIn('Sign in', signInAddress);
  }
  return response;
}

function offerSignIn(text, address) {
  if (signIn === null) return;
  signIn.textContent = text;
  signIn.setAttribute('href', address);
}

// The provider sends the browser to the console, which forwards a sign-in that began on this page.
signIn?.addEventListener('click', () => sessionStorage.setItem('frontdesk.api-page', 'waiting'));

async function finishSignIn() {
  const returned = new URLSearchParams(location.search);
  if (!returned.has('code') && !returned.has('error')) return;
  history.replaceState(null, '', location.pathname);
  // Accepts only a sign-in that this browser began, because anyone can send a link with a code. The server verifies the rest.
  if (!returned.get('state')?.startsWith(signIn?.dataset.statePrefix)) {
    status.textContent = 'This sign-in was not started here. Use “Sign in”.';
    return;
  }
  status.textContent = 'Signing in…';
  const login = await fetch(`auth/login/callback?${returned}`);
  const answer = await login.json();
  if (!login.ok) {
    status.textContent = `${answer.detail} (request ${login.headers.get('X-Request-Id')})`;
    return;
  }
  ui.preauthorizeApiKey('accessToken', answer.accessToken);
  const me = await fetch('auth/me', { headers: { authorization: `Bearer ${answer.accessToken}` } });
  const person = me.ok ? await me.json() : undefined;
  status.textContent = person === undefined ? 'Signed in.' : `Signed in as ${person.name}`;
  // Without select_account, the provider would sign in the same person again.
  offerSignIn('Sign in as someone else', `${signInAddress}&prompt=select_account`);
}
