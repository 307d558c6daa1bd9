import { z } from 'zod';

export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Issuers' tokens are about 2 KiB long. */
const longestAssertion = 16 * 1024;

export const TokenForm = z
  .object({
    grant_type: z
      .string()
      .refine((grant) => grant === jwtBearerGrant, 'is not supported')
      .meta({ enum: [jwtBearerGrant] }),
    assertion: z
      .string()
      .min(1)
      .max(longestAssertion)
      .meta({ description: "A JWT from the caller's issuer, or one that the caller signed itself" }),
  })
  .meta({ id: 'TokenForm', description: 'RFC 7523 section 2.1' });

export const TokenAnswer = z
  .strictObject({
    access_token: z.string(),
    token_type: z.enum(['Bearer']),
    expires_in: z.int().meta({ description: 'In seconds' }),
  })
  .meta({ id: 'TokenAnswer', description: 'RFC 6749 section 5.1' });
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** Longer than any of our access tokens, which have to fit in a header. */
const longestToken = 16 * 1024;

export const IntrospectionForm = z
  .object({
    token: z.string().min(1).max(longestToken),
    token_type_hint: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Ignored, because all tokens here are access tokens' }),
  })
  .meta({ id: 'IntrospectionForm', description: 'RFC 7662 section 2.1' });

export const Introspection = z
  .object({
    active: z.boolean().meta({ description: 'Whether the token can be used. If not, nothing else is returned' }),
    token_type: z.enum(['Bearer']).optional(),
    iss: z.string().optional(),
    aud: z.string().optional(),
    sub: z.string().optional().meta({ description: 'Employee ID; for a program, `caller:` and its name' }),
    client_id: z.string().optional(),
    sid: z.string().optional().meta({ description: 'The session, or the registration of a program' }),
    jti: z.string().optional(),
    iat: z.int().optional(),
    exp: z.int().optional(),
    roles: z.array(z.string()).optional(),
    auth_time: z.int().optional(),
    acr: z.string().optional(),
    amr: z.array(z.string()).optional(),
  })
  .meta({ id: 'Introspection', description: 'RFC 7662 section 2.2, with the claims of the access token' });
