import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { MembershipEvent } from './domain/membership-events.ts';

export type * from './domain/membership-events.ts';

export const membershipEvents = defineEvents<MembershipEvent>({
  MembershipOpened: { version: 1 },
  MembershipActivated: { version: 1 },
  MembershipRenewed: { version: 1 },
  PaidPeriodCorrected: { version: 1 },
  MembershipReinstated: { version: 1 },
  TierChanged: { version: 1 },
  CancellationScheduled: { version: 1 },
  CancellationWithdrawn: { version: 1 },
  GraceStarted: { version: 1 },
  MembershipSuspended: { version: 1 },
  MembershipEnded: { version: 1 },
  EntitlementNoted: { version: 1 },
  ComplimentaryAccessGranted: { version: 1, personal: ['reason'], subject: 'accountId' },
  ComplimentaryAccessEnded: { version: 1, personal: ['reason'], subject: 'accountId' },
});

export const membershipStream = (account: AccountId): string => `membership-${account}`;
