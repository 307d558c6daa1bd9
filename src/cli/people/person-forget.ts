// frontdesk people forget: erases what is stored about a person, and replaces the employee ID with a pseudonym.
import { sealAudit } from '../../audit/proof/sealing.ts';
import { endSessions } from '../../auth/sessions/session.queries.ts';
import { createStepper } from '../../base/stepper.ts';
import type { Config } from '../../config/config.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Arguments } from '../arguments.ts';
import { expectAuditKey, explainChange } from '../audit.ts';
import { actorOf, CommandError } from '../command.ts';
import { findForgetting } from './forgetting-progress.ts';
import { forgetActor, isOfPerson } from './forgotten-rows.ts';
import { findPerson, isKnown, NobodyKnown, rangesOf, subjectOf } from './person-export.queries.ts';
import {
  beginForgetting,
  eraseProfile,
  findRows,
  finishForgetting,
  forgetEntries,
  forgetRows,
  SignedInMeanwhile,
} from './person-forget.queries.ts';

/** How long it takes until every replica refuses the tokens of ended sessions. revisions.ts polls once a second. */
const replicasKnowMs = 2000;
const rowsOfStep = 250;
const entriesOfStep = 500;
const maxSignIns = 10;

export async function forgetPerson(args: Arguments, storage: Storage, config: Config): Promise<string> {
  return forget(args, storage, config).catch((error: unknown) => {
    throw explainChange(error);
  });
}

async function forget(args: Arguments, { db, reads }: Storage, config: Config): Promise<string> {
  const [employeeId = ''] = args.words;
  const key = await expectAuditKey(reads, config);
  const isBegun = (await findForgetting(reads, key, employeeId)) !== undefined;
  const subject = subjectOf(employeeId, await findPerson(reads, employeeId));
  if (!isOfPerson(employeeId)) throw new CommandError(`${employeeId} is not the employee ID of a person.`);
  if (!isBegun && !(await isKnown(reads, subject))) throw new NobodyKnown(employeeId);

  const now = () => new Date();
  // If the person runs the command themselves, the pseudonym is recorded as the actor.
  const actor = (pseudonym: string) => forgetActor(actorOf(args), { ...subject, pseudonym }, []);
  const options = { db, key, actor, now };
  if (!isBegun) await beginForgetting(options, employeeId);
  await endAndErase(options, employeeId);
  await forgetEverywhere(reads, options, employeeId);
  await finishForgetting(options, employeeId);
  const isThereAgain = (await findPerson(reads, employeeId)) !== undefined;
  return `The person is forgotten. Log lines and backups may still contain their data: see docs/privacy.md.\n${
    isThereAgain
      ? 'In the meantime, a person has signed in with this employee ID. Repeat the command to erase their data, too.\n'
      : ''
  }`;
}

type Options = Parameters<typeof forgetRows>[0];

async function forgetEverywhere(reads: Storage['reads'], options: Options, employeeId: string): Promise<void> {
  const { db, key, now } = options;
  // Retention removes whole seals, so each step stays within one seal.
  const seal = () => sealAudit({ db, key, now });
  await seal();
  await forgetSealed(reads, options, employeeId);
  // Repeated for rows that were written meanwhile, by requests that were still in progress.
  await seal();
  await forgetSealed(reads, options, employeeId);
  const runStep = createStepper();
  for await (const [first, last] of rangesOf(reads, 'lookup_history', entriesOfStep)) {
    await runStep(() => forgetEntries(options, employeeId, first, last));
  }
}

/**
 * Ends the sessions first, and waits until every replica knows that. Until then, replicas accept requests in these
 * sessions.
 */
async function endAndErase(options: Options, employeeId: string): Promise<void> {
  const { db, key, actor, now } = options;
  for (let tries = 0; tries < maxSignIns; tries++) {
    const progress = await findForgetting(db, key, employeeId);
    if (progress === undefined || progress.last_audit !== null) return;
    const { pseudonym } = progress;
    const audit = { type: 'session-ended', detail: 'forgotten', person: pseudonym, actor: actor(pseudonym) } as const;
    await endSessions(db, { employeeId }, audit, now());
    await Bun.sleep(replicasKnowMs);
    const isErased = await eraseProfile(options, employeeId).catch((error: unknown) => {
      if (error instanceof SignedInMeanwhile) return false;
      throw error;
    });
    if (isErased) return;
  }
  throw new CommandError('The person keeps signing in. Close the account at the provider, and repeat the command.');
}

async function forgetSealed(reads: Storage['reads'], options: Options, employeeId: string): Promise<void> {
  const progress = await findForgetting(reads, options.key, employeeId);
  if (progress === undefined) return;
  const runStep = createStepper();
  const seals = await reads
    .selectFrom('audit_seal')
    .select(['first', 'last'])
    .where('last', '>', progress.audit_done)
    .orderBy('number')
    .execute();
  for (const { first, last } of seals) {
    const { changes } = await findRows(reads, progress, first, last);
    for (let start = 0; start < changes.length; start += rowsOfStep) {
      const rows = changes.slice(start, start + rowsOfStep).map(({ before: { seq } }) => seq);
      await runStep(() => forgetRows(options, employeeId, rows[0] ?? first, rows.at(-1) ?? last));
    }
  }
}
