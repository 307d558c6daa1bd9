import { useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { catalogue } from '../../parts/catalogue.ts';
import { shared } from '../../parts/texts.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { Loading } from '../../shell/loading.tsx';

const welcomeTexts = catalogue(
  {
    text: 'Sign in with your company account to see your details and manage the lists used in employee forms.',
    signIn: 'Sign in',
  },
  {
    text: 'Melden Sie sich mit Ihrem Firmenkonto an, um Ihre Angaben zu sehen und die Listen für Personalformulare zu verwalten.',
    signIn: 'Anmelden',
  },
);

/** Shown when nobody is signed in. */
export function Welcome({ error, onSignIn }: { error: unknown; onSignIn: () => void }) {
  useEffect(() => {
    document.title = `${welcomeTexts.signIn} – ${shared.product}`;
  }, []);
  return (
    <main className="welcome card">
      <img src="docs/icon.svg" alt="" width="48" height="48" />
      <h1>{shared.product}</h1>
      <p>{welcomeTexts.text}</p>
      <ErrorNote error={error} />
      <Button look="primary" onPress={onSignIn}>
        {welcomeTexts.signIn}
      </Button>
    </main>
  );
}

/** Shown until it is known whether the user is signed in. */
export function Starting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="welcome">
      {error === undefined ? <Loading lines={3} /> : <ErrorNote error={error} onRetry={onRetry} />}
    </main>
  );
}
