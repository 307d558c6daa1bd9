// The person who is signed in, and where they are.
import { useConsole } from '../app-context.ts';
import { OwnSessions } from '../panels/own-sessions.tsx';
import { OwnDetails } from '../parts/own-details.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { profile } from '../texts/profile.ts';
import { shared } from '../texts/shared.ts';

export function ProfilePage() {
  const { me } = useConsole();
  return (
    <>
      <PageHeader title={me.name} windowTitle={shared.profile} text={profile.rolesText} />
      <div className="stack profile">
        <section className="card" aria-label={shared.details}>
          <OwnDetails />
        </section>
        <OwnSessions />
      </div>
    </>
  );
}
