// Problems in the form that OAuth clients read: RFC 6749 section 5.2.
import { z } from 'zod';
import { FieldError } from './problem.schema.ts';
import { type ProblemCode, problemTable } from './problem-table.ts';

/** Any other is `invalid_request`, or from 500 on `temporarily_unavailable`. */
const errors: Partial<Record<ProblemCode, string>> = {
  'unsupported-grant': 'unsupported_grant_type',
  'assertion-rejected': 'invalid_grant',
  'rate-limited': 'temporarily_unavailable',
  'internal-error': 'server_error',
};

export function oauthError(code: ProblemCode, publicUrl: string) {
  const { status, detail } = problemTable[code];
  return {
    error: errors[code] ?? (status >= 500 ? 'temporarily_unavailable' : 'invalid_request'),
    // Its characters are limited, and have no quotation mark.
    error_description: detail.replaceAll('"', "'"),
    error_uri: `${publicUrl}/problems/${code}`,
    code,
  };
}

export const OAuthError = z
  .object({
    error: z.string().meta({ description: 'As OAuth names it', example: 'invalid_grant' }),
    error_description: z.string().meta({ description: 'What happened' }),
    error_uri: z.url().meta({ description: 'Address of a page that explains this problem' }),
    code: z.string().meta({ description: 'The problem, more exactly', example: 'assertion-rejected' }),
    errors: z.array(FieldError).optional().meta({ description: 'Every fault of the request, by field' }),
  })
  .meta({ id: 'OAuthError', description: 'RFC 6749 section 5.2' });
