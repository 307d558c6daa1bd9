// What GET /auth/me says of a person. Pure.
import type { CurrentUser } from './auth.schema.ts';
import { initialsOf } from './avatar.ts';
import type { Identity } from './provider/claims.ts';

export function currentUser(
  { employeeId, profile, roles }: Pick<Identity, 'employeeId' | 'profile' | 'roles'>,
  publicUrl: string,
): CurrentUser {
  const { name, givenName, middleName, familyName, picture, email, emailVerified, phoneNumber } = profile;
  return {
    sub: employeeId,
    name,
    givenName,
    ...(middleName !== undefined && { middleName }),
    familyName,
    picture: picture ?? `${publicUrl}/auth/avatars/${encodeURIComponent(initialsOf(name))}`,
    email,
    emailVerified,
    phoneNumber,
    roles: [...roles],
  };
}
