// Problem documents as the contract has them. Other members are allowed, since later versions may add some.
import { z } from '@hono/zod-openapi';

const FieldError = z
  .object({
    field: z
      .string()
      .openapi({ description: 'Where it is, as a path of names; empty for the whole', example: 'label' }),
    message: z.string().openapi({ description: 'What is wrong with it', example: 'must be text' }),
    line: z.int().optional().openapi({ description: 'Of a document, where that is' }),
    column: z.int().optional().openapi({ description: 'In that line' }),
  })
  .openapi('FieldError', { description: 'One fault of a request' });

export const ProblemDocument = z
  .object({
    type: z.url().openapi({ description: 'Address of a page that explains this problem' }),
    title: z.string().openapi({ description: 'The problem in a few words' }),
    status: z.int().openapi({ description: 'The HTTP status' }),
    detail: z.string().openapi({ description: 'What happened' }),
    instance: z.url().openapi({ description: 'The request id, by which the log finds this request, as a URN' }),
    errors: z.array(FieldError).optional().openapi({ description: 'Every fault of the request, by field' }),
    moreErrors: z.boolean().optional().openapi({ description: 'Whether there are more faults than are told' }),
  })
  .openapi('Problem', { description: 'RFC 9457 problem document' });
