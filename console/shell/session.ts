import { catalogue } from '../parts/catalogue.ts';

export const sessionTexts = catalogue(
  {
    blocked: 'Your browser blocked the window. Allow pop-ups for this page and try again.',
    expired: 'Your session has expired',
    otherTab: 'You signed out in another tab',
    continueText: 'Sign in again to continue. What you typed is still here.',
    otherPerson: 'Another person signed in',
    otherPersonText: 'Somebody else signed in with this browser. Nothing you typed here was sent in their name.',
    signInAs: (name: string) => `Sign in as ${name}`,
    signInAgain: 'Sign in again',
    startPage: 'Go to the start page',
    continueAsOther: 'Discard and continue as the other person',
    confirm: 'Confirm it’s you',
    confirmText:
      'This change needs a stronger sign-in. Continue in the window that opened; your change is saved afterwards.',
    openAgain: 'Open the window again',
  },
  {
    blocked: 'Ihr Browser hat das Fenster blockiert. Erlauben Sie Pop-ups für diese Seite und versuchen Sie es erneut.',
    expired: 'Ihre Sitzung ist abgelaufen',
    otherTab: 'Sie haben sich in einem anderen Tab abgemeldet',
    continueText: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben sind noch da.',
    otherPerson: 'Eine andere Person hat sich angemeldet',
    otherPersonText:
      'Jemand anderes hat sich mit diesem Browser angemeldet. Nichts von dem, was Sie hier eingegeben haben, wurde in deren Namen gesendet.',
    signInAs: (name: string) => `Als ${name} anmelden`,
    signInAgain: 'Erneut anmelden',
    startPage: 'Zur Startseite',
    continueAsOther: 'Verwerfen und als die andere Person fortfahren',
    confirm: 'Bestätigen Sie, dass Sie es sind',
    confirmText:
      'Diese Änderung erfordert eine stärkere Anmeldung. Fahren Sie im geöffneten Fenster fort; danach wird Ihre Änderung gespeichert.',
    openAgain: 'Fenster erneut öffnen',
  },
);
