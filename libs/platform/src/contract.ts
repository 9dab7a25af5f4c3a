import * as z from 'zod';

/** RFC 9457. `code` is stable; `detail` is a sentence for people that says what to do. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    /** The parameters or fields that are wrong, where they are known. */
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** The first event of the stream of changes: what changes from now on is reported. */
export const changesReady = 'ready';

/** A message of the stream of changes: a read with this position sees what has changed. */
export const Change = z.object({ topic: z.string(), position: z.string().regex(/^\d+$/) });
export type Change = z.infer<typeof Change>;

export const platformRoutes = { changes: '/api/changes' } as const;
