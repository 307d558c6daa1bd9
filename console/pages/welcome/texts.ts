import { catalogue } from '../../parts/catalogue.ts';

export const welcomeTexts = catalogue(
  {
    title: 'Frontdesk',
    text: 'Sign in with your company account to see your details and manage the lists that employee forms are filled from.',
    signIn: 'Sign in',
    developers: 'For developers:',
    apiDocs: 'API docs',
  },
  {
    title: 'Frontdesk',
    text: 'Melden Sie sich mit Ihrem Firmenkonto an, um Ihre Daten zu sehen und die Listen zu verwalten, aus denen Formulare für Beschäftigte gefüllt werden.',
    signIn: 'Anmelden',
    developers: 'Für Entwicklerinnen und Entwickler:',
    apiDocs: 'API-Dokumentation',
  },
);
