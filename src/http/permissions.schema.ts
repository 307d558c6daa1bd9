import { z } from 'zod';

export const Permissions = z
  .strictObject({
    seeLists: z.boolean().meta({ description: 'Whether any list is shown under /admin' }),
    createLists: z
      .boolean()
      .meta({ description: 'Whether they may create lists, archive them, and change who reads and keeps them' }),
    readAudit: z.boolean(),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof Permissions>;
