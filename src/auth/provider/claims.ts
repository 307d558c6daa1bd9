// Reads a person and their roles from a provider's claims. Pure. Differences between providers are configuration.

import { isObject } from '../../base/guards.ts';
import type { Config } from '../../config/config.ts';
import type { Strength } from '../../http/access.ts';
import { type MappedRole, mapRole, type RoleMaps } from './role-map.ts';

/** Prefix of a program's `sub`, and of its name in the audit and the history. No employee ID may begin with it. */
const callerPrefix = 'caller:';
export const callerSubject = (name: string) => `${callerPrefix}${name}`;
export const isCallerSubject = (subject: string) => subject.startsWith(callerPrefix);

export type Claims = Readonly<Record<string, unknown>>;
export type ClaimSettings = Pick<Config, 'employeeIdClaims' | 'roleClaims'> & RoleMaps;

export interface Profile {
  name: string;
  givenName: string;
  middleName: string | undefined;
  familyName: string;
  picture: string | undefined;
  email: string;
  emailVerified: boolean;
  phoneNumber: string;
}

export interface Identity {
  subject: string;
  employeeId: string;
  profile: Profile;
  roles: string[];
  /** The ID of the session at the provider. */
  providerSessionId: string | undefined;
  authentication: Authentication;
}

/** When and how the person authenticated, according to the ID token: OpenID Connect Core section 2. */
export interface Authentication extends Strength {
  /** The methods (`amr`). */
  readonly amr: readonly string[];
}

export type IdentityResult = { identity: Identity } | { refused: string };

/**
 * The ID token takes precedence, and userinfo adds what it lacks, because many providers send the profile only in userinfo.
 */
export function readIdentity(idToken: Claims, userinfo: Claims, settings: ClaimSettings): IdentityResult {
  const claims = mergeClaims(idToken, userinfo);
  const subject = idToken.sub;
  if (!isIdentifier(subject)) return { refused: 'the subject is not usable as an identifier' };
  const employeeId = findEmployeeId(claims, settings.employeeIdClaims)?.id;
  if (employeeId === undefined) return { refused: 'no claim holds an employee ID' };
  if (!isIdentifier(employeeId)) return { refused: 'the employee ID is not usable as an identifier' };
  if (isCallerSubject(employeeId))
    return { refused: 'the employee ID begins with caller:, which is reserved for programs' };
  const providerSessionId = nonEmptyText(idToken.sid);
  if (!isStorable(providerSessionId) || (providerSessionId?.length ?? 0) > longestIdentifier)
    return { refused: "the provider's session ID is too long or holds control characters" };
  if (hasGroupOverage(claims, settings.roleClaims)) return { refused: 'the provider left groups out (overage)' };
  return {
    identity: {
      subject,
      employeeId,
      profile: readProfile(claims, employeeId),
      roles: readRoles(claims, settings),
      providerSessionId,
      authentication: readAuthentication(idToken),
    },
  };
}

/** Leaves out unusable values. If one of them is needed, the sign-in is refused later. */
function readAuthentication({ auth_time, acr, amr }: Claims): Authentication {
  return {
    authTime: Number.isSafeInteger(auth_time) ? Number(auth_time) : undefined,
    acr: isIdentifier(acr) ? acr : undefined,
    amr: Array.isArray(amr) ? amr.filter(isIdentifier).slice(0, maxMethods) : [],
  };
}

const maxMethods = 20;

export function mergeClaims(idToken: Claims, userinfo: Claims): Claims {
  return { ...userinfo, ...withoutEmpty(idToken) };
}

export function withoutEmpty(claims: Claims): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** The employee ID from the first source that has one. */
export function findEmployeeId(claims: Claims, sources: readonly string[]): { source: string; id: string } | undefined {
  for (const source of sources) {
    const value = valueAt(claims, source);
    const id = Number.isSafeInteger(value) ? String(value) : nonEmptyText(value);
    if (id !== undefined) return { source, id };
  }
  return undefined;
}

/** Whether a text can be stored unchanged. PostgreSQL cannot store NUL, and a cleaned text would not be found again. */
export function isStorable(text: string | undefined): boolean {
  return text === undefined || (text.isWellFormed() && !/\p{Cc}/u.test(text));
}

const longestIdentifier = 255;

/** Identifiers are compared unchanged, so one that would have to be trimmed or cleaned is refused. */
export function isIdentifier(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= longestIdentifier &&
    value.trim() === value &&
    value.isWellFormed() &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
  );
}

function readProfile(claims: Claims, employeeId: string): Profile {
  const givenName = textOf(claims.given_name);
  const familyName = textOf(claims.family_name);
  const email = textOf(claims.email);
  const name =
    textOf(claims.name) ||
    [givenName, familyName].filter((part) => part !== '').join(' ') ||
    textOf(claims.preferred_username) ||
    email ||
    employeeId;
  return {
    name,
    givenName,
    middleName: textOf(claims.middle_name) || undefined,
    familyName,
    picture: pictureOf(claims.picture),
    email,
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    phoneNumber: textOf(claims.phone_number),
  };
}

const longestText = 512;

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const clean = value
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  return clean.length <= longestText ? clean : Array.from(clean).slice(0, longestText).join('');
}

function pictureOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

function readRoles(claims: Claims, settings: ClaimSettings): string[] {
  const ours = findRoles(claims, settings).map(({ role }) => role);
  return [...new Set(ours.filter((role) => role !== ''))];
}

/** Returns every role of every source, including the roles that are dropped. */
export function findRoles(claims: Claims, settings: ClaimSettings): ({ source: string } & MappedRole)[] {
  return settings.roleClaims.flatMap((source) => {
    const found = rolesIn(valueAt(claims, pathOf(source)), source.endsWith('|one'));
    return found.map((theirs) => ({ source, ...mapRole(theirs, settings) }));
  });
}

/** A source is a path to a claim. With a trailing `|one`, a string there is one role, and is not split. */
const pathOf = (source: string) => source.replace(/\|.*/, '');

function rolesIn(value: unknown, whole: boolean): string[] {
  if (Array.isArray(value)) return value.filter((role): role is string => typeof role === 'string');
  if (typeof value === 'string') return whole ? [value] : value.split(/[\s,]+/);
  if (isObject(value)) return Object.keys(value);
  return [];
}

/**
 * If the groups do not fit in a token, a provider sends a hint instead (Entra ID: `hasgroups`, or OIDC's distributed
 * claims). Reading that as "no groups" would silently remove roles.
 */
function hasGroupOverage(claims: Claims, sources: readonly string[]): boolean {
  const wanted = new Set(sources.map(claimOf));
  const elsewhere = Object.keys(objectOf(claims._claim_names)).some((name) => wanted.has(name) && !(name in claims));
  return elsewhere || (wanted.has('groups') && (claims.hasgroups === true || claims.hasgroups === 'true'));
}

/** The name of the claim that a source reads. */
export function claimOf(source: string): string {
  return pointerParts(pathOf(source))[0] ?? '';
}

/** A source is the name of a claim, or a JSON pointer (RFC 6901). Paths with dots would be ambiguous, as names contain dots. */
function valueAt(claims: Claims, source: string): unknown {
  return pointerParts(source).reduce<unknown>((value, part) => {
    const container = objectOf(value);
    return Object.hasOwn(container, part) ? container[part] : undefined;
  }, claims);
}

function pointerParts(source: string): string[] {
  if (!source.startsWith('/')) return [source];
  return source
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
