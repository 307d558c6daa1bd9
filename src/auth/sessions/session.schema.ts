import { z } from 'zod';

/** Not in the contract, because clients do not set cookies themselves. */
export const CookieHeader = z.object({ Cookie: z.string().nullable().default(null) });

/** The cookie, and the headers in which a browser says which page opened this one. */
export const LogoutHeaders = CookieHeader.extend({
  'Sec-Fetch-Site': z.string().nullable().default(null),
  Referer: z.string().nullable().default(null),
});

export const LogoutQuery = z.object({
  post_logout_redirect_uri: z.string().optional().meta({
    minLength: 1,
    description: 'Where to go after the sign-out: one of OIDC_POST_LOGOUT_URIS. Default: the first',
  }),
  state: z.string().max(512).optional().meta({ description: 'Returned in the redirect' }),
});
export type LogoutQuery = z.infer<typeof LogoutQuery>;

export const LogoutForm = z.object({ logout_token: z.string().meta({ minLength: 1 }) }).meta({ id: 'LogoutForm' });

export const LoginResult = z
  .strictObject({
    accessToken: z.string().meta({ description: "Access token for the service's API (a JWT)" }),
    expirationInSeconds: z.int().meta({ description: 'Lifetime of the access token, in seconds' }),
  })
  .meta({ id: 'LoginResult' });
export type LoginResult = z.infer<typeof LoginResult>;

export const OwnSession = z
  .strictObject({
    id: z.string(),
    current: z.boolean().meta({ description: 'Whether the access token of this request belongs to this session' }),
    openedAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: 'When it was last opened or renewed' }),
    endsAt: z.iso.datetime().meta({ description: 'When it ends, however often it is renewed' }),
    address: z.string().optional().meta({ description: 'The IP address it was opened from' }),
    browser: z
      .string()
      .optional()
      .meta({ description: 'The browser it was opened with', example: 'Firefox 144 on Windows' }),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof OwnSession>;
