import { z } from 'zod';

/** Not in the contract: clients do not set cookies themselves. */
export const CookieHeader = z.object({ Cookie: z.string().nullable().default(null) });

/** The browser is named in the person's own list of sessions. */
export const CallbackHeaders = CookieHeader.extend({ 'User-Agent': z.string().nullable().default(null) });
export type CallbackHeaders = z.infer<typeof CallbackHeaders>;

/** Which page opened it, as browsers say. */
export const LogoutHeaders = CookieHeader.extend({
  'Sec-Fetch-Site': z.string().nullable().default(null),
  Referer: z.string().nullable().default(null),
});

/** The edge has compared the origin by then: one that is missing is refused there. */
export const RenewHeaders = CookieHeader.extend({
  Origin: z.string().meta({ description: 'The origin of the page, as browsers send it by themselves', minLength: 1 }),
});

/** Texts without blanks, separated by single ones. */
const tokens = z
  .string()
  .max(512)
  .regex(/^[!-~]+( [!-~]+)*$/, 'must be values separated by single blanks');

export const LoginQuery = z.object({
  redirect_uri: z.string().optional().meta({
    minLength: 1,
    description: 'Where the provider sends the browser: one of OIDC_REDIRECT_URIS. Default: the first',
  }),
  iss: z.string().max(2048).optional().meta({
    description:
      'Who sends the person here, where a provider starts the sign-in (OpenID Connect Core section 4): any other than OIDC_ISSUER is refused',
  }),
  target_link_uri: z.string().max(2048).optional().meta({
    description:
      'Where such a provider wants the person to end up: used in place of redirect_uri if it is one of OIDC_REDIRECT_URIS',
  }),
  login_hint: z.string().max(255).optional().meta({
    description: 'Passed on to the provider. The development provider signs that person in without a page',
  }),
  prompt: z.enum(['none', 'login', 'consent', 'select_account']).optional().meta({
    description:
      'Passed on to the provider: whether it asks for nothing (and fails where it would have to), the password again, consent again, or which account. One that announces no select_account is asked to login',
  }),
  max_age: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999,
      description:
        'The person must have authenticated at the provider no longer than this many seconds ago; checked on return. Can only be less than OIDC_MAX_AGE_SECONDS',
    }),
  acr_values: tokens.optional().meta({
    description:
      'The authentication must be of one of these classes (`acr`), separated by blanks; checked on return. Where OIDC_ACR_VALUES is set, only those among them count',
    example: 'urn:example:second-factor',
  }),
  ui_locales: tokens.optional().meta({
    description: 'Passed on to the provider: languages of its pages, separated by blanks, most wanted first',
    example: 'de en',
  }),
});
export type LoginQuery = z.infer<typeof LoginQuery>;

/** RFC 6749 section 3.1: no parameter may come twice, known here or not. */
export const CallbackQuery = z
  .object({
    code: z
      .string()
      .min(1)
      .max(8192)
      .regex(/^[!-~]*$/)
      .optional()
      .meta({
        description: 'Authorization code received from the identity provider. Required, unless `error` is given',
      }),
    state: z.string().optional().meta({ description: 'As the provider sent it; binds the code to GET /auth/login' }),
    iss: z.string().optional().meta({ description: "As the provider sent it (RFC 9207): the provider's name" }),
    code_verifier: z.string().optional().meta({ description: 'PKCE verifier of a sign-in the client began itself' }),
    nonce: z.string().optional().meta({ description: 'Nonce of a sign-in the client began itself' }),
    redirect_uri: z.string().optional().meta({
      minLength: 1,
      description: 'Redirect address of a sign-in the client began itself: one of OIDC_REDIRECT_URIS',
    }),
    error: z.string().optional().meta({ description: "The provider's refusal, in place of a code" }),
  })
  .catchall(z.string());
export type CallbackQuery = z.infer<typeof CallbackQuery>;

export const LogoutQuery = z.object({
  post_logout_redirect_uri: z
    .string()
    .optional()
    .meta({ minLength: 1, description: 'Where to go afterwards: one of OIDC_POST_LOGOUT_URIS. Default: the first' }),
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
    current: z.boolean().meta({ description: 'Whether the access token of this request belongs to it' }),
    openedAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: 'When it was opened or renewed last' }),
    endsAt: z.iso.datetime().meta({ description: 'Its end, however often it is renewed' }),
    address: z.string().optional().meta({ description: 'The IP address it was opened from' }),
    browser: z
      .string()
      .optional()
      .meta({ description: 'The browser it was opened with', example: 'Firefox 144 on Windows' }),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof OwnSession>;

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
      .meta({ description: 'Roles assigned to the user, as of the sign-in or renewal that gave the token' }),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof CurrentUser>;

const Jwk = z
  .object({
    kid: z.string(),
    kty: z.string(),
    alg: z.string(),
    use: z.enum(['sig']),
    crv: z.string().optional(),
    x: z.string().optional(),
    y: z.string().optional(),
    n: z.string().optional(),
    e: z.string().optional(),
  })
  .meta({ id: 'Jwk', description: 'RFC 7517 JSON Web Key, public' });

export const KeySet = z
  .object({
    keys: z.array(Jwk),
  })
  .meta({ id: 'KeySet', description: 'RFC 7517 JSON Web Key Set' });

// Without an algorithm: the provider's settings decide which one its key of RSA signs with.
const ClientJwk = Jwk.omit({ alg: true }).meta({ id: 'ClientJwk', description: 'RFC 7517 JSON Web Key, public' });

export const ClientKeySet = z
  .object({
    keys: z.array(ClientJwk),
  })
  .meta({ id: 'ClientKeySet', description: 'RFC 7517 JSON Web Key Set' });

export const ServerMetadata = z
  .object({
    issuer: z.url(),
    jwks_uri: z.url(),
    token_endpoint: z.url(),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint: z.url(),
    introspection_endpoint_auth_methods_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    service_documentation: z.url(),
  })
  .meta({ id: 'ServerMetadata', description: 'RFC 8414 authorization server metadata' });
