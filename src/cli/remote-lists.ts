// Reads and changes the lists of a service over HTTP, for pipelines without access to the database.
import { z } from 'zod';
import { exitCodes } from '../base/exit-error.ts';
import { Problem } from '../http/problem.ts';
import { WrongFile } from '../lookup/documents/faults.ts';
import type * as rules from '../lookup/rules/list.ts';
import { largestDocumentBytes } from '../lookup/rules/list.ts';
import { LanguageTag, ListName } from '../lookup/stored/fields.schema.ts';
import { KeptList } from '../lookup/stored/kept-list.schema.ts';
import type { Arguments } from './arguments.ts';
import { CommandError, type CommandResult } from './command.ts';
import { type ShownEntry, ShownHistory, ShownPlan } from './describe-changes.ts';
import { type DocumentFile, isLookupCommand, type KeptLists, lookupCommands } from './lookups.ts';
import { createServiceCall, notFrontdesk, type ServiceCall, tooLarge } from './service-call.ts';

const contentTypes = { yaml: 'application/yaml', json: 'application/json', csv: 'text/csv' } as const;
const longestPage = 500;
/** Text without control characters, because YAML would write some of them unchanged. */
const Printed = z.string().regex(/^\P{Cc}*$/u);
const PrintedList = KeptList.extend({
  title: Printed,
  titles: z.record(LanguageTag, Printed),
  description: Printed.nullable(),
  descriptions: z.record(LanguageTag, Printed),
  readers: z.array(Printed).nullable(),
  keepers: z.array(Printed).nullable(),
});
/** The fields of a list that the commands use. */
const Summary = z.object({ list: ListName, version: z.int() });

function remoteLists(call: ServiceCall): KeptLists {
  const readSummaries = () => call(Summary.array(), '/admin/lookups');

  function send(file: DocumentFile, path: string, reason?: string): Promise<ShownPlan> {
    // With a much larger body, the service would close the connection before its answer could be read.
    if (file.bytes.length > largestDocumentBytes) {
      throw tooLarge(`The file has ${file.bytes.length} bytes; a service accepts at most ${largestDocumentBytes}.`);
    }
    const query = new URLSearchParams({
      ...(reason !== undefined && { reason }),
      ...(file.mirror === true && { mirror: 'true' }),
    });
    const headers = { 'Content-Type': contentTypes[file.format] };
    return call(ShownPlan, query.size === 0 ? path : `${path}?${query}`, { method: 'POST', headers, body: file.bytes });
  }

  /** An answer contains only the first thousand changes. Fetches the rest. */
  async function complete(list: string, { changesLeftOut = 0, ...entry }: ShownHistory[number]): Promise<ShownEntry> {
    const changes = [...entry.changes];
    const total = changes.length + changesLeftOut;
    while (changes.length < total) {
      const query = `before=${entry.version + 1}&limit=1&changesFrom=${changes.length}`;
      const [more] = await call(ShownHistory, `/admin/lookups/${list}/history?${query}`);
      if (more === undefined || more.changes.length === 0) break;
      for (const change of more.changes) changes.push(change);
    }
    return { ...entry, changes };
  }

  return {
    async read(names) {
      const summaries = await readSummaries();
      const wanted = summaries.filter(({ list }) => names === undefined || names.includes(list));
      const lists: rules.KeptList[] = [];
      for (const { list } of wanted) lists.push(await call(PrintedList, `/admin/lookups/${list}`));
      return lists;
    },
    plan: (file) => send(file, '/admin/lookups/plan'),
    async apply(file, reason, onPlanned) {
      const plan = await send(file, '/admin/lookups/apply', reason);
      onPlanned(plan);
      return plan;
    },
    findVersion: async (name) => (await readSummaries()).find(({ list }) => list === name)?.version,
    async *history(list, limit) {
      let before: number | undefined;
      for (let left = limit; left > 0 && before !== 1; left -= longestPage) {
        const query = new URLSearchParams({ limit: String(Math.min(left, longestPage)) });
        if (before !== undefined) query.set('before', String(before));
        const page = await call(ShownHistory, `/admin/lookups/${list}/history?${query}`);
        for (const entry of page) yield await complete(list, entry);
        before = page.at(-1)?.version ?? 1;
      }
    },
    async undo(list, seen, to, reason) {
      const after = await call(z.object({ version: z.int() }), `/admin/lookups/${list}/undo`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'If-Match': `"${seen}"` },
        body: JSON.stringify({ version: to, reason }),
      });
      return after.version;
    },
  };
}

/** Runs a command on a service instead of its database. No configuration is read, so a wrong one does not matter. */
export function runOverHttp(
  name: string,
  args: Arguments,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  if (!isLookupCommand(name)) throw new CommandError(`${name} works only on the database.`);
  if (args.options.as !== undefined) {
    throw new CommandError('--as cannot be used with --url, because a service knows who calls it.', exitCodes.usage);
  }
  return lookupCommands[name](args, remoteLists(createServiceCall(url, env))).catch((error: unknown) => {
    // The command has handled every refusal that Frontdesk can send here, so this one came from something else.
    throw error instanceof Problem || error instanceof WrongFile ? notFrontdesk(url) : error;
  });
}
