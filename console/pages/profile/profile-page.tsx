// The user's details and sessions.
import { useQueryClient } from '@tanstack/react-query';
import { Laptop, type LucideIcon, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OwnSession } from '../../../client/src/index.ts';
import { keys, useSessions } from '../../lists/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { formatMoment, Moment } from '../../parts/format.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { shared } from '../../parts/texts.ts';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { OwnDetails } from '../../shell/own-details.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { showDone, showError } from '../../shell/toasts.ts';
import { type Device, describeDevice } from './device-name.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { profile } from './texts.ts';

export function ProfilePage() {
  const { me } = useConsole();
  return (
    <>
      <PageHeader title={me.name} windowTitle={shellTexts.profile} text={profile.rolesText} />
      <div className="stack profile">
        <section className="card" aria-label={shared.details}>
          <OwnDetails />
        </section>
        <OwnSessions />
      </div>
    </>
  );
}

function OwnSessions() {
  const { api } = useConsole();
  const client = useQueryClient();
  const query = useSessions();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsking, setAsking] = useState(false);
  const others = (query.data ?? []).filter(({ current }) => !current);

  async function end(act: () => Promise<string>) {
    try {
      showDone(await act());
      // The focused button disappears with its session.
      heading.current?.focus();
    } catch (error) {
      showError(error, () => void end(act), profile.notEnded);
    }
    await client.invalidateQueries({ queryKey: keys.sessions });
  }

  const endOne = (session: OwnSession) =>
    end(async () => {
      await endSession(api, session.id);
      client.setQueryData<OwnSession[]>(keys.sessions, (before) => before?.filter(({ id }) => id !== session.id));
      return profile.ended(describeDevice(session.browser).name);
    });

  return (
    <section className="sessions" aria-labelledby="sessions">
      <header className="own-head">
        <div>
          <h2 id="sessions" ref={heading} tabIndex={-1}>
            {profile.sessions}
          </h2>
          <p className="quiet">{profile.sessionsText}</p>
        </div>
        {others.length > 1 && <Button onPress={() => setAsking(true)}>{profile.endOthers}</Button>}
      </header>
      {query.data === undefined && <LoadingOrError query={query} lines={3} />}
      <ul className="session-list">
        {query.data?.map((session) => (
          <Session key={session.id} session={session} onEnd={() => void endOne(session)} />
        ))}
      </ul>
      {isAsking && (
        <Dialog title={profile.endOthersTitle} isAlert onClose={() => setAsking(false)}>
          <p>{profile.endOthersText(others.length)}</p>
          <Actions>
            <Button onPress={() => setAsking(false)}>{shared.cancel}</Button>
            <Button
              look="danger"
              onPress={() => {
                setAsking(false);
                void end(async () => profile.othersEnded(await endOtherSessions(api)));
              }}
            >
              {profile.endOthers}
            </Button>
          </Actions>
        </Dialog>
      )}
    </section>
  );
}

const icons: Record<Device['kind'], LucideIcon> = {
  computer: Laptop,
  phone: Smartphone,
  tablet: Tablet,
  unknown: MonitorSmartphone,
};

function Session({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { desk } = useConsole();
  const { name, kind } = describeDevice(session.browser);
  const Icon = icons[kind];
  return (
    <li className="session">
      <Icon aria-hidden="true" size={20} />
      <div className="session-text">
        <p className="row">
          <strong>{name}</strong>
          {session.current && <Badge tone="info">{profile.thisSession}</Badge>}
        </p>
        <p className="quiet">
          {profile.signedIn} <Moment at={session.openedAt} />
          {session.address !== undefined && (
            <>
              {' · '}
              <bdi>{session.address}</bdi>
            </>
          )}
          <br />
          {profile.lastActive} <Moment at={session.lastSeenAt} /> · {profile.endsAt} <Moment at={session.endsAt} />
        </p>
      </div>
      {session.current ? (
        <Button onPress={() => void desk.signOut()}>{profile.signOutHere}</Button>
      ) : (
        <Button onPress={onEnd} aria-label={profile.endOf(name, formatMoment(session.openedAt))}>
          {profile.end}
        </Button>
      )}
    </li>
  );
}
