import { z } from 'zod';

export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Tokens of issuers have some 2 KiB. */
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
      .meta({ description: "A JWT of the caller's issuer, or one that the caller signed itself" }),
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
