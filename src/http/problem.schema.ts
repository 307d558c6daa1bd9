// Problem documents in the contract. Other members are allowed, since later versions may add some.
import { z } from 'zod';

export const FieldError = z
  .object({
    field: z
      .string()
      .meta({ description: 'Its position, as a path of names; empty for the whole request', example: 'label' }),
    message: z.string().meta({ description: 'What is wrong with it', example: 'must be text' }),
    line: z.int().optional().meta({ description: 'Line of the fault in a document' }),
    column: z.int().optional().meta({ description: 'Column of the fault in that line' }),
  })
  .meta({ id: 'FieldError', description: 'One fault of a request' });

export const ProblemDocument = z
  .object({
    type: z.url().meta({ description: 'Address of a page that explains this problem' }),
    title: z.string().meta({ description: 'The problem in a few words' }),
    status: z.int().meta({ description: 'The HTTP status' }),
    detail: z.string().meta({ description: 'What happened' }),
    instance: z.url().meta({ description: 'The request id, which is also in the log, as a URN' }),
    errors: z.array(FieldError).optional().meta({ description: 'Every fault of the request, by field' }),
    moreErrors: z.boolean().optional().meta({ description: 'Whether there are more faults than are listed' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document' });
