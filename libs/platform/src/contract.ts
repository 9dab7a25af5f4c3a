import * as z from 'zod';

/** RFC 9457. `code` is stable; `detail` is for a person and says what to do. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    /** Which parameter or field was wrong, where that can be said. */
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

export const ClientConfig = z
  .object({
    billingPortalUrl: z.string(),
    demoCatalogue: z.boolean().describe('true while the catalogue holds generated strategies'),
    /** Where thumbnails live: `{chartImageOrigin}/{urlId}.svg`; empty when there are none. */
    chartImageOrigin: z.string(),
    signInHints: z
      .array(z.object({ label: z.string(), email: z.string() }))
      .describe('accounts of a sandbox provider that sign in by one click; empty elsewhere'),
  })
  .meta({ id: 'ClientConfig' });
export type ClientConfig = z.infer<typeof ClientConfig>;
