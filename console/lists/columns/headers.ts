// What the columns of a file are, by their headers as people write them.
import { languageOf } from './header-languages.ts';
import { plainWords } from './plain-text.ts';

/**
 * A field of an item, named as the service's CSV names its columns: `label`, `validFrom`, `label:de`, `code:workday`,
 * `parent:country`.
 */
export type Field = string;

/** The fields without a key, in the order in which they are offered. */
export const plainFields = [
  'list',
  'value',
  'label',
  'description',
  'validFrom',
  'validTo',
  'retired',
  'replacedBy',
  'tags',
  'sortOrder',
] as const;
type PlainField = (typeof plainFields)[number];

const namesOf: Record<PlainField, string[]> = {
  list: ['list', 'list name', 'liste', 'listenname', 'lookup', 'name der liste'],
  value: ['value', 'wert', 'key', 'schlussel', 'identifier', 'id', 'kennung', 'stored value', 'gespeicherter wert'],
  label: [
    ...['label', 'labels', 'name', 'title', 'text', 'display name', 'job title', 'position', 'designation', 'caption'],
    ...['bezeichnung', 'beschriftung', 'titel', 'anzeigename', 'benennung', 'berufsbezeichnung', 'stelle'],
  ],
  description: [
    'description',
    'beschreibung',
    'note',
    'notes',
    'notiz',
    'comment',
    'kommentar',
    'hinweis',
    'erlauterung',
  ],
  validFrom: [
    ...['valid from', 'available from', 'from', 'start', 'start date', 'starts', 'effective from', 'effective date'],
    ...[
      'gultig ab',
      'gultig von',
      'verfugbar ab',
      'ab',
      'von',
      'beginn',
      'startdatum',
      'anfang',
      'gueltig ab',
      'gueltig von',
    ],
  ],
  validTo: [
    ...[
      'valid to',
      'valid until',
      'available until',
      'available to',
      'to',
      'until',
      'end',
      'end date',
      'ends',
      'expires',
    ],
    ...['gultig bis', 'verfugbar bis', 'bis', 'ende', 'enddatum', 'gueltig bis', 'ablauf', 'ablaufdatum'],
  ],
  retired: [
    ...['retired', 'inactive', 'deprecated', 'obsolete', 'is retired'],
    ...['stillgelegt', 'inaktiv', 'veraltet', 'ausgemustert', 'zuruckgezogen'],
  ],
  replacedBy: [
    ...['replaced by', 'replacement', 'successor', 'replace with', 'use instead'],
    ...['ersetzt durch', 'ersatz', 'nachfolger', 'ersetzen durch'],
  ],
  tags: ['tags', 'tag', 'keywords', 'schlagworter', 'schlagworte', 'stichworter', 'stichworte', 'markierungen'],
  sortOrder: [
    ...['sort order', 'order', 'sort', 'sorting', 'rank', 'no', 'number', 'sequence'],
    ...['reihenfolge', 'sortierung', 'rang', 'nr', 'nummer', 'pos'],
  ],
};

const fieldByName = new Map(plainFields.flatMap((field) => namesOf[field].map((name) => [name, field] as const)));
const labelNames = new Set([...namesOf.label, 'translation', 'ubersetzung']);
const codeWords =
  /^(?:code|codes|kennzeichen|kurzel|id)\s+(?:in\s+|von\s+|for\s+)?(.+)$|^(.+?)\s+(?:code|id|kurzel|kennzeichen)$/;
const parentWords = /^(?:parent|only with|only for|offered with|nur mit|nur fur|nur bei|ubergeordnet)\s+(.+)$/;

export interface KnownNames {
  /** The other systems that items have codes in. */
  systems: Iterable<string>;
  /** The names and titles of lists. */
  lists: Iterable<{ list: string; title: string }>;
}

/** The field of a column, or undefined where the header says nothing. */
export function fieldOfHeader(header: string, known: KnownNames): Field | undefined {
  return ownColumn(header.trim()) ?? fieldByWords(header, known);
}

/** As the service's own files and those of the console name it. */
function ownColumn(header: string): Field | undefined {
  if (plainFields.some((field) => field === header) || /^(?:label|code|parent):\S+$/.test(header)) return header;
  const code = /^code:\s*([a-z0-9][a-z0-9._-]*)$/i.exec(header)?.[1];
  if (code !== undefined) return `code:${code}`;
  const parent = /^(?:only with|nur mit):\s*([a-z][a-z0-9-]*)$/i.exec(header)?.[1];
  return parent === undefined ? undefined : `parent:${parent}`;
}

function fieldByWords(header: string, known: KnownNames): Field | undefined {
  const words = plainWords(header);
  if (words === '') return undefined;
  const plain = fieldByName.get(words);
  if (plain !== undefined) return plain;
  return translationField(header, words) ?? codeField(words, known.systems) ?? parentField(words, known.lists);
}

/** `German`, `de`, `Label (German)`, `Bezeichnung Deutsch`, `Deutsche Bezeichnung`, `Label DE`. */
function translationField(header: string, words: string): Field | undefined {
  const whole = languageOf(header);
  if (whole !== undefined) return `label:${whole}`;
  const inBrackets = /^(.+?)\s*[([](.+)[)\]]\s*$/.exec(header.trim());
  if (inBrackets !== null && labelNames.has(plainWords(inBrackets[1] ?? ''))) {
    const language = languageOf(inBrackets[2] ?? '');
    if (language !== undefined) return `label:${language}`;
  }
  for (const name of labelNames) {
    const rest = words.startsWith(`${name} `)
      ? words.slice(name.length + 1)
      : words.endsWith(` ${name}`)
        ? words.slice(0, -name.length - 1)
        : undefined;
    // German writes `Deutsche Bezeichnung` and `Label auf Deutsch`.
    const language = rest && languageOf(rest.replace(/^(?:in|auf)\s+/, '').replace(/(?<=sch)e$/, ''));
    if (language) return `label:${language}`;
  }
  return undefined;
}

function codeField(words: string, systems: Iterable<string>): Field | undefined {
  const match = codeWords.exec(words);
  const name = match?.[1] ?? match?.[2];
  for (const system of systems) {
    if (plainWords(system) === (name ?? words)) return `code:${system}`;
  }
  const system = name?.replaceAll(' ', '-');
  return system !== undefined && /^[a-z0-9][a-z0-9._-]{0,49}$/.test(system) ? `code:${system}` : undefined;
}

function parentField(words: string, lists: KnownNames['lists']): Field | undefined {
  const name = parentWords.exec(words)?.[1];
  for (const { list, title } of lists) {
    if (plainWords(list) === name || plainWords(title) === name) return `parent:${list}`;
  }
  return undefined;
}
