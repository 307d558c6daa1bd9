// Describes a row of the audit log in a sentence. Everything else is in the row's details.
import { commandLineAccount, programOf } from '../../lists/actor.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import type { AuditRow, AuditType } from '../../shell/api.ts';
import { auditSentences as texts } from './texts.ts';

const callerName = ({ person }: AuditRow) => programOf(person ?? '') ?? person ?? '';

/** The displayed name of an actor or an affected person. */
export function nameActor(actor: string, name: string | null = null): string {
  if (name !== null) return name;
  if (actor === 'Frontdesk') return texts.service;
  if (actor === 'identity provider') return texts.provider;
  const program = programOf(actor);
  if (program !== undefined) return texts.program(program);
  const account = commandLineAccount(actor);
  return account === undefined ? actor : sharedListTexts.commandLine(account);
}

const personOf = ({ person, personName }: AuditRow) =>
  person === null ? texts.unknownPerson : nameActor(person, personName);

/** The title of a list; undefined if it is unknown. */
export type TitleOf = (list: string) => string | undefined;

const sentences: Record<AuditType, (row: AuditRow, titleOf: TitleOf) => string> = {
  'sign-in': (row) => texts.signedIn(personOf(row)),
  'sign-in-refused': describeRefusal,
  logout: (row) => texts.signedOut(personOf(row)),
  'session-ended': describeEnd,
  'key-made': (row) =>
    row.detail?.startsWith('audit key, ') ? texts.auditKeyCreated : texts.keyCreated(kindOfKey(row)),
  'key-activated': (row) => texts.keyActivated(kindOfKey(row)),
  'key-removed': (row) => texts.keyRemoved(kindOfKey(row)),
  'key-resealed': (row) => texts.keyResealed(kindOfKey(row)),
  'person-moved': ({ person }) => texts.moved(person ?? texts.unknownPerson),
  'person-exported': (row) => texts.exported(personOf(row)),
  'person-forgotten': describeErasure,
  'caller-added': (row) => texts.callerAdded(callerName(row)),
  'caller-removed': (row) => texts.callerRemoved(callerName(row)),
  'token-issued': (row) => texts.tokenIssued(callerName(row)),
  'list-changed': describeListChange,
  'audit-read': (row) => texts.auditRead(personOf(row)),
  'audit-removed': ({ detail }) => texts.auditRemoved(/^until row (\d+)/.exec(detail ?? '')?.[1] ?? '?'),
  'audit-sealed': ({ detail }) => texts.auditSealed(/^seal (\d+)/.exec(detail ?? '')?.[1] ?? '?'),
};

/** For an unknown type, which a newer service may send, returns the name of the type. */
export function describeAuditRow(row: AuditRow, titleOf: TitleOf = () => undefined): string {
  const describe = Object.hasOwn(sentences, row.type) ? sentences[row.type as AuditType] : undefined;
  return beginSentence(describe?.(row, titleOf) ?? row.type);
}

export const nameAuditType = (type: string) => texts.types[type] ?? type;

/** Every type the service writes, with its name. */
export const auditTypeNames: [type: string, name: string][] = Object.keys(sentences).map((type) => [
  type,
  nameAuditType(type),
]);

function describeRefusal({ person, personName, detail }: AuditRow): string {
  const more = /^(\d+) more within a minute/.exec(detail ?? '')?.[1];
  if (more !== undefined) return texts.refusedMore(Number(more));
  const code = (detail ?? '').split(':')[0] ?? '';
  return texts.refused(person === null ? undefined : nameActor(person, personName), texts.codes[code] ?? code);
}

const endReasons: Record<string, string> = {
  'employee ID changed': texts.reasonIdChanged,
  moved: texts.reasonMoved,
  forgotten: texts.reasonForgotten,
};

function describeEnd(row: AuditRow): string {
  const [who, detail] = [personOf(row), row.detail ?? ''];
  if (detail === 'by the person') return texts.endedOwn(who);
  if (detail === 'back-channel logout') return texts.endedByProvider(who);
  if (detail === 'command line') return texts.endedByCommand(who);
  if (detail.startsWith('renewal: ')) return texts.ended(who, texts.reasonRenewal);
  return texts.ended(who, endReasons[detail] ?? detail);
}

const kindOfKey = ({ detail }: AuditRow) => (detail?.startsWith('client key ') ? texts.clientKey : texts.signingKey);

function describeErasure(row: AuditRow): string {
  const [who, detail] = [personOf(row), row.detail ?? ''];
  const rows = /^step \d+: (\d+) rows/.exec(detail)?.[1];
  if (rows !== undefined) return texts.erasingStep(who, Number(rows));
  return detail === 'begun' ? texts.erasingBegun(who) : texts.erased(who);
}

/** The version of a list that a row is about; undefined for rows about something else. */
export function listVersionOf(row: AuditRow): { list: string; version: number; restored?: number } | undefined {
  if (row.type !== 'list-changed') return undefined;
  const [, list, version, restored] =
    /^(\S+) version (\d+)(?:, restoring version (\d+))?$/.exec(row.detail ?? '') ?? [];
  if (list === undefined) return undefined;
  return { list, version: Number(version), ...(restored !== undefined && { restored: Number(restored) }) };
}

function describeListChange(row: AuditRow, titleOf: TitleOf): string {
  const { list: name = '?', version = 0, restored } = listVersionOf(row) ?? {};
  const list = titleOf(name) ?? name;
  const who = row.actor === null ? personOf(row) : nameActor(row.actor, row.actorName);
  return restored === undefined ? texts.listChanged(who, list, version) : texts.listRestored(who, list, restored);
}

/** Capitalises a sentence that starts with `the program`. Names and accounts are not changed. */
const beginSentence = (text: string) =>
  text.startsWith(texts.program('')) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
