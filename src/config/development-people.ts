// DEV_PEOPLE: the people who can sign in at the development provider, instead of its sample people.
import { z } from 'zod';
import { readBoundedFile } from '../base/bounded-reads.ts';
import type { ConfigFault, Variables } from './variables.ts';

export interface DevelopmentPerson {
  /** Shown on the page where a person is picked. */
  readonly about: string;
  /** The claims that the provider sends. */
  readonly claims: Readonly<Record<string, unknown>> & { readonly sub: string };
}

const maxPeople = 100;
const longestText = 256;
const maxFaults = 5;

/** Claims that the provider sets itself. */
const ownClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'acr', 'amr', 'auth_time', 'sid'];

const text = z.string('must be text').max(longestText, `must be at most ${longestText} characters long`);
const words = z.array(text, 'must be a list of texts').max(100, 'must have at most 100 entries');

/** Fields have the names of the claims in OpenID Connect Core section 5.1. */
const Person = z.strictObject(
  {
    sub: z.string('must be text').regex(/^[!-~]{1,64}$/, 'must be 1 to 64 visible ASCII characters'),
    about: text.default(''),
    name: text.optional(),
    given_name: text.optional(),
    middle_name: text.optional(),
    family_name: text.optional(),
    picture: z.httpUrl('must be an http or https address').max(2048, 'must be at most 2048 characters long').optional(),
    email: text.optional(),
    email_verified: z.boolean('must be true or false').optional(),
    phone_number: text.optional(),
    roles: words.optional(),
    // Claims under other names, for trying EMPLOYEE_ID_CLAIM and ROLE_CLAIMS.
    claims: z
      .record(z.string(), z.unknown(), 'must map names of claims to values')
      .refine(
        (claims) => !ownClaims.some((name) => Object.hasOwn(claims, name)),
        `must not have ${ownClaims.join(', ')}`,
      )
      .default({}),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'has an unknown field' : 'must be a person') },
);

const People = z.strictObject(
  {
    people: z
      .array(Person, 'must be a list of people')
      .min(1, 'must name at least one person')
      .max(maxPeople, `must name at most ${maxPeople} people`)
      .refine((people) => new Set(people.map(({ sub }) => sub)).size === people.length, 'must not repeat a sub'),
  },
  'must be `people:` with a list',
);

interface ReadPeople {
  people?: readonly DevelopmentPerson[];
  faults: ConfigFault[];
}

/** Returns nothing if a different provider is used, because rules.ts reports that. */
export function readDevelopmentPeople({ DEV_PEOPLE, OIDC_ISSUER, NODE_ENV }: Partial<Variables>): ReadPeople {
  if (DEV_PEOPLE === undefined || OIDC_ISSUER !== undefined || NODE_ENV === 'production') return { faults: [] };
  const fail = (fault: string) => ({ faults: [{ variable: 'DEV_PEOPLE', fault }] });
  const file = readBoundedFile(DEV_PEOPLE);
  if ('fault' in file) return fail(file.fault);
  const tree = parseYaml(file.text);
  if ('fault' in tree) return fail(tree.fault);
  const parsed = People.safeParse(tree.content);
  if (!parsed.success) return fail(describeFaults(parsed.error.issues));
  return {
    people: parsed.data.people.map(({ about, claims, ...standard }) => ({ about, claims: { ...claims, ...standard } })),
    faults: [],
  };
}

function parseYaml(source: string): { content: unknown } | { fault: string } {
  // Loaded only here, because startup without DEV_PEOPLE does not need it.
  const { parseDocument } = require('yaml') as typeof import('yaml');
  const document = parseDocument(source);
  const [error] = document.errors;
  if (error !== undefined) {
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? [];
    return { fault: `names a file that is not YAML, at line ${line}, column ${col}` };
  }
  try {
    return { content: document.toJS() };
  } catch {
    return { fault: 'names a file with too many aliases' };
  }
}

/** Gives each fault's position, such as `people.3.email`, counting from 1. */
function describeFaults(issues: readonly z.core.$ZodIssue[]): string {
  const described = issues.map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.');
    return place === '' ? message : `${place} ${message}`;
  });
  const more = described.length > maxFaults ? `; and ${described.length - maxFaults} more` : '';
  return `names a file in which ${described.slice(0, maxFaults).join('; ')}${more}`;
}
