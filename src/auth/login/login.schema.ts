import { z } from 'zod';
import { CookieHeader } from '../sessions/session.schema.ts';

/** The person's list of sessions names the browser, which is derived from the User-Agent. */
export const CallbackHeaders = CookieHeader.extend({ 'User-Agent': z.string().nullable().default(null) });
export type CallbackHeaders = z.infer<typeof CallbackHeaders>;

/** Values without spaces, separated by single spaces. */
const tokens = z
  .string()
  .max(512)
  .regex(/^[!-~]+( [!-~]+)*$/, 'must be values separated by single spaces');

export const LoginQuery = z.object({
  redirect_uri: z.string().optional().meta({
    minLength: 1,
    description: 'Where the provider sends the browser: one of OIDC_REDIRECT_URIS. Default: the first',
  }),
  iss: z.string().max(2048).optional().meta({
    description:
      'The issuer of the provider that starts the sign-in, if one does (OpenID Connect Core section 4). Any issuer other than OIDC_ISSUER is refused',
  }),
  target_link_uri: z.string().max(2048).optional().meta({
    description:
      'The address where the person should end up, if a provider starts the sign-in. Used instead of redirect_uri if it is one of OIDC_REDIRECT_URIS',
  }),
  login_hint: z.string().max(255).optional().meta({
    description: 'Passed on to the provider. The development provider signs that person in without showing a page',
  }),
  prompt: z.enum(['none', 'login', 'consent', 'select_account']).optional().meta({
    description:
      'Passed on to the provider. `none`: fail instead of asking the person anything; `login`: ask for the password again; `consent`: ask for consent again; `select_account`: let the person choose an account. A provider that does not announce select_account gets login instead',
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
        'The person must have authenticated at the provider at most this many seconds ago. Frontdesk checks this when the person returns. The value can only shorten OIDC_MAX_AGE_SECONDS',
    }),
  acr_values: tokens.optional().meta({
    description:
      'Classes (`acr`), separated by spaces. The authentication must have one of them. Frontdesk checks this when the person returns. If OIDC_ACR_VALUES is set, only classes named there count',
    example: 'urn:example:second-factor',
  }),
  ui_locales: tokens.optional().meta({
    description: 'Passed on to the provider. Languages for its pages, separated by spaces, preferred first',
    example: 'de en',
  }),
});
export type LoginQuery = z.infer<typeof LoginQuery>;

/** RFC 6749 section 3.1: no parameter may be repeated, known or not. */
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
    state: z.string().optional().meta({ description: 'State that the provider sent. Binds the code to a sign-in' }),
    iss: z.string().optional().meta({ description: "The provider's issuer, as the provider sent it (RFC 9207)" }),
    code_verifier: z.string().optional().meta({ description: 'PKCE verifier, if the client began the sign-in itself' }),
    nonce: z.string().optional().meta({ description: 'Nonce, if the client began the sign-in itself' }),
    redirect_uri: z.string().optional().meta({
      minLength: 1,
      description: 'Redirect address, if the client began the sign-in itself. One of OIDC_REDIRECT_URIS',
    }),
    error: z
      .string()
      .optional()
      .meta({ description: "The provider's error code, if it refused the sign-in. Sent instead of `code`" }),
  })
  .catchall(z.string());
export type CallbackQuery = z.infer<typeof CallbackQuery>;
