import { useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../shell/error-note.tsx';
import { Loading } from '../../shell/loading.tsx';
import { welcomeTexts } from './texts.ts';

/** Nobody is signed in. */
export function Welcome({ error, onSignIn }: { error: unknown; onSignIn: () => void }) {
  useEffect(() => {
    document.title = `${welcomeTexts.signIn} – ${welcomeTexts.title}`;
  }, []);
  return (
    <main className="welcome card">
      <img src="docs/icon.svg" alt="" width="48" height="48" />
      <h1>{welcomeTexts.title}</h1>
      <p>{welcomeTexts.text}</p>
      <ErrorNote error={error} />
      <Button look="primary" onPress={onSignIn}>
        {welcomeTexts.signIn}
      </Button>
      <p className="quiet">
        {welcomeTexts.developers} <a href="docs">{welcomeTexts.apiDocs}</a>
      </p>
    </main>
  );
}

/** Not known yet whether somebody is signed in. */
export function Starting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="welcome">
      {error === undefined ? <Loading lines={3} /> : <ErrorNote error={error} onRetry={onRetry} />}
    </main>
  );
}
