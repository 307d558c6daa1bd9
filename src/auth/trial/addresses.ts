// The addresses of a trial sign-in. Of the ticket in the first one, the database has the hash only.
import { randomText } from '../../storage/secret.ts';
import type { Db } from '../../storage/storage.ts';
import type { CallbackQuery } from '../auth.schema.ts';
import { storeTrial } from './trial.queries.ts';

const lifeSeconds = 600;

/** The address to open. */
export async function makeTrialAddress(db: Db, publicUrl: string, now: Date): Promise<string> {
  const ticket = randomText();
  await storeTrial(db, hashOf(ticket), new Date(now.getTime() + lifeSeconds * 1000), now);
  return `${publicUrl}/auth/trial?ticket=${ticket}`;
}

export const hashOf = (ticket: string) => Bun.SHA256.hash(ticket, 'hex');

/** Where the callback sends a browser whose sign-in is a trial, with what the provider sent. */
export function finishAddress(publicUrl: string, { code, state, iss, error }: CallbackQuery): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ code, state, iss, error }))
    if (value !== undefined) query.set(name, value);
  return `${publicUrl}/auth/trial/finish?${query}`;
}
