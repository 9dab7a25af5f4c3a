import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { days } from '@tapedeck/platform/setting-values';
import * as z from 'zod';

export const membershipSettings = defineSettings({
  ENTITLEMENTS: {
    schema: z.enum(['open', 'advertised'], { message: 'must be open or advertised' }),
    byDefault: 'open',
    readBy: ['api'],
    description:
      'who may use the catalogue: every member (`open`), or as the plans are advertised (`advertised`); the CSV export is for paid members in both',
  },
  GRACE_DAYS: {
    schema: days,
    byDefault: '14',
    readBy: ['api', 'projector'],
    description:
      'how long access lasts after a failed renewal (docs/product-decisions.md#grace-refunds-disputes)',
  },
});

export type MembershipConfig = ConfigOf<typeof membershipSettings, 'api'>;
