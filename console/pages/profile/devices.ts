import { catalogue } from '../../parts/catalogue.ts';

export const devices = catalogue(
  {
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown browser',
  },
  {
    browserOn: (browser: string, system: string) => `${browser} unter ${system}`,
    unknown: 'Unbekannter Browser',
  },
);
