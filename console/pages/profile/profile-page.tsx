// The user's details and sessions.
import { useQueryClient } from '@tanstack/react-query';
import { Laptop, type LucideIcon, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OwnSession } from '../../../client/src/index.ts';
import { keys, useSessions } from '../../lists/queries.ts';
import { Button } from '../../parts/button.tsx';
import { catalogue, counted } from '../../parts/catalogue.ts';
import { Badge, PageHeader } from '../../parts/content.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { formatMoment, Moment } from '../../parts/format.tsx';
import { shared } from '../../parts/texts.ts';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { OwnDetails } from '../../shell/own-details.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { showDone, showError } from '../../shell/toasts.ts';
import { type Device, describeDevice } from './device-name.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';

const profile = catalogue(
  {
    rolesText: 'These details come from your company account. Changes there appear after your next sign-in.',
    sessions: 'Your sessions',
    sessionsText: 'Everywhere you’re signed in. End any session you don’t recognise or no longer need.',
    thisSession: 'This session',
    signedIn: 'Signed in',
    lastActive: 'Last active',
    endsAt: 'Ends no later than',
    end: 'End session',
    endOf: (device: string, since: string) => `End session: ${device}, signed in ${since}`,
    signOutHere: 'Sign out here',
    endOthers: 'End all other sessions',
    endOthersTitle: 'End all other sessions?',
    endOthersText: (count: number) =>
      `${counted(count, 'other session ends', 'other sessions end')} immediately. You stay signed in here.`,
    ended: (device: string) => `Session ended: ${device}`,
    othersEnded: (count: number) => `${counted(count, 'session', 'sessions')} ended`,
    notEnded: 'The session couldn’t be ended',
  },
  {
    rolesText: 'Diese Angaben stammen aus Ihrem Firmenkonto. Änderungen dort erscheinen nach Ihrer nächsten Anmeldung.',
    sessions: 'Ihre Sitzungen',
    sessionsText:
      'Überall, wo Sie angemeldet sind. Beenden Sie Sitzungen, die Sie nicht kennen oder nicht mehr brauchen.',
    thisSession: 'Diese Sitzung',
    signedIn: 'Angemeldet',
    lastActive: 'Zuletzt aktiv',
    endsAt: 'Endet spätestens',
    end: 'Sitzung beenden',
    endOf: (device: string, since: string) => `Sitzung beenden: ${device}, angemeldet ${since}`,
    signOutHere: 'Hier abmelden',
    endOthers: 'Alle anderen Sitzungen beenden',
    endOthersTitle: 'Alle anderen Sitzungen beenden?',
    endOthersText: (count: number) =>
      `${counted(count, 'andere Sitzung endet', 'andere Sitzungen enden')} sofort. Hier bleiben Sie angemeldet.`,
    ended: (device: string) => `Sitzung beendet: ${device}`,
    othersEnded: (count: number) => `${counted(count, 'Sitzung', 'Sitzungen')} beendet`,
    notEnded: 'Die Sitzung konnte nicht beendet werden',
  },
);

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
      // The focused button disappears with its session, so the focus moves to the heading.
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
      <ul className="boxed">
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
