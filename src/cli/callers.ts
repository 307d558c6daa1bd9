// Commands for programs that may get access tokens.
import type { JWK } from 'jose';
import { addCaller, describeProof, listCallers, type Proof, removeCaller } from '../auth/callers/caller.queries.ts';
import { mayUseHttp } from '../auth/callers/issuer-keys.ts';
import { readPublicKeys } from '../auth/callers/public-keys.ts';
import { withoutSlash } from '../auth/provider/endpoint.ts';
import { readBoundedFile } from '../base/bounded-reads.ts';
import { exitCodes } from '../base/exit-error.ts';
import type { Config } from '../config/config.ts';
import { httpUrl } from '../config/variables.ts';
import { readListRoles } from '../lookup/stored/list.queries.ts';
import type { Arguments } from './arguments.ts';
import { actorOf, type Command, CommandError, table } from './command.ts';

export const callerCommands = {
  async 'callers add'({ words: [name = ''], options }, { db }, config) {
    const { audience } = options;
    if (name === config.clientId)
      throw new CommandError(`${name} is the value of OIDC_CLIENT_ID. Choose another name.`, exitCodes.wrongData);
    const proof = readProof(options, config);
    const roles = readRoles(options.roles, [...settingRoles(config), ...(await readListRoles(db))]);
    const result = await addCaller(db, { name, proof, audience, roles }, actorOf({ options }), new Date());
    if (result === 'name-taken') throw new CommandError(`${name} is already registered: remove it first.`);
    if (result === 'subject-taken')
      throw new CommandError('That issuer and subject are registered under another name.');
    if (result === 'too-many') throw new CommandError('There are too many callers: remove some first.');
    return `${name} is registered: POST ${config.publicUrl}/auth/token gives it access tokens.\n`;
  },

  async 'callers list'(_, { db }) {
    return table(
      ['name', 'proof', 'audience', 'roles', 'added'],
      (await listCallers(db)).map(({ name, proof, audience, roles, addedAt }) => [
        name,
        describeProof(proof),
        audience ?? null,
        roles.join(', ') || null,
        addedAt,
      ]),
    );
  },

  async 'callers remove'({ words: [name = ''], options }, { db }) {
    const isRemoved = await removeCaller(db, name, actorOf({ options }), new Date());
    if (!isRemoved) throw new CommandError(`There is no caller ${name}.`);
    return `${name} is removed. Its access tokens stop working.\n`;
  },
} satisfies Record<string, Command>;

function readProof({ issuer, subject, jwks, key }: Arguments['options'], config: Config): Proof {
  if (key !== undefined) {
    if (issuer ?? subject ?? jwks)
      throw new CommandError('--key cannot be combined with --issuer, --subject or --jwks.', exitCodes.usage);
    return { kind: 'own-key', keys: readKeyFile('--key', key) };
  }
  if (issuer === undefined || subject === undefined) {
    throw new CommandError('Give --issuer and --subject, or --key.', exitCodes.usage);
  }
  expectIssuer(issuer, config);
  if (jwks === undefined) return { kind: 'issuer', issuer, subject };
  if (!/^https?:/i.test(jwks)) return { kind: 'issuer', issuer, subject, keys: readKeyFile('--jwks', jwks) };
  expectTls('--jwks', jwks, config);
  return { kind: 'issuer', issuer, subject, jwksUri: jwks };
}

/** If our own tokens were accepted as assertions, anyone with one could get more of them forever. */
function expectIssuer(issuer: string, config: Config): void {
  const plain = (address: string) => withoutSlash(new URL(address).href);
  if (plain(issuer) === plain(config.publicUrl))
    throw new CommandError('--issuer must not be PUBLIC_URL.', exitCodes.wrongData);
  expectTls('--issuer', issuer, config);
}

function expectTls(option: string, address: string, { allowHttpIssuers }: Config): void {
  const isValid = httpUrl.safeParse(address).success;
  if (isValid && (/^https:/i.test(address) || mayUseHttp(address, allowHttpIssuers))) return;
  throw new CommandError(
    `${option} must be an https address (OIDC_ALLOW_HTTP=true permits http).`,
    exitCodes.wrongData,
  );
}

function readKeyFile(option: string, path: string): JWK[] {
  const file = readBoundedFile(path);
  const read = 'fault' in file ? file : readPublicKeys(file.text);
  if ('fault' in read) throw new CommandError(`${option} ${path} ${read.fault}.`, exitCodes.wrongData);
  return read.keys;
}

function settingRoles(config: Config): string[] {
  const { lookupReadRoles, lookupPlanRoles, lookupAdminRoles, auditReadRoles, tokenIntrospectRoles } = config;
  return [...lookupReadRoles, ...lookupPlanRoles, ...lookupAdminRoles, ...auditReadRoles, ...tokenIntrospectRoles];
}

/** Accepts only roles that a setting or a list names, because any other role would give access to nothing. */
function readRoles(given: string | undefined, named: readonly string[]): string[] {
  const known = new Set(named);
  const roles = [...new Set(given?.split(',').map((role) => role.trim()))];
  const unknown = roles.filter((role) => !known.has(role));
  if (unknown.length === 0) return roles;
  throw new CommandError(
    `No setting or list uses the role ${unknown.join(', ')}. Known roles: ${[...known].join(', ')}.`,
    exitCodes.wrongData,
  );
}
