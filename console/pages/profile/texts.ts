import { catalogue, counted } from '../../parts/catalogue.ts';

export const profile = catalogue(
  {
    rolesText: 'These details come from your company account. Changes there appear after your next sign-in.',
    sessions: 'Your sessions',
    sessionsText: 'Everywhere you are signed in. End a session that you do not recognize or no longer need.',
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
    notEnded: 'The session could not be ended',
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
