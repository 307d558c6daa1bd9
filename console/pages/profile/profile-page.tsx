// The person who is signed in, and where they are.
import { useConsole } from '../../shell/console-context.ts';
import { OwnSessions } from './own-sessions.tsx';
import { OwnDetails } from '../../shell/own-details.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { profile } from './texts.ts';
import { shared } from '../../parts/texts.ts';

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
