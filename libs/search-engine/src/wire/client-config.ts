import * as z from 'zod';

/** This module's part of the configuration that the browser reads at its start. */
export const CatalogueClientConfig = z.object({
  demoCatalogue: z.boolean().describe('true while the catalogue holds generated strategies'),
});
export type CatalogueClientConfig = z.infer<typeof CatalogueClientConfig>;
