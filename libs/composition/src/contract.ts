import { IdentityClientConfig } from '@tapedeck/identity/contract';
import { MembershipClientConfig } from '@tapedeck/membership/contract';
import { PaymentsClientConfig } from '@tapedeck/payments/contract';
import { CatalogueClientConfig } from '@tapedeck/search-engine/contract';
import { StrategiesClientConfig } from '@tapedeck/strategies/contract';
import * as z from 'zod';

/** Every module's part of what the browser reads at its start. */
export const ClientConfig = z
  .object({
    ...IdentityClientConfig.shape,
    ...StrategiesClientConfig.shape,
    ...CatalogueClientConfig.shape,
    ...PaymentsClientConfig.shape,
    ...MembershipClientConfig.shape,
  })
  .meta({ id: 'ClientConfig' });
export type ClientConfig = z.infer<typeof ClientConfig>;

export const compositionRoutes = { clientConfig: '/api/config' } as const;
