// The answer of GET /auth/me. Pure.
import { z } from 'zod';
import type { Identity } from '../provider/claims.ts';
import { initialsOf } from './avatar.ts';

export const CurrentUser = z
  .strictObject({
    sub: z.string().meta({ description: 'Employee ID of the user' }),
    name: z.string().meta({ description: 'Full name' }),
    givenName: z.string().meta({ description: 'First name' }),
    middleName: z.string().optional().meta({ description: 'Middle name; absent when the user has none' }),
    familyName: z.string().meta({ description: 'Last name' }),
    picture: z.url().meta({ description: "URL of the user's profile picture" }),
    email: z.string().meta({ description: 'Email address' }),
    emailVerified: z.boolean().meta({ description: 'Whether the email is verified' }),
    phoneNumber: z.string().meta({ description: 'Mobile number' }),
    roles: z
      .array(z.string())
      .meta({ description: 'Roles that the user had at the sign-in or renewal that issued the token' }),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof CurrentUser>;

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
