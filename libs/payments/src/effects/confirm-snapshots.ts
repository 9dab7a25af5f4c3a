import { defineEffect, type Effect } from '@tapedeck/eventing';
import { isToBeConfirmed } from '../domain/subscription.ts';
import type { SubscriptionObserved } from '../domain/subscription-events.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { observeSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';

export type ConfirmSnapshotsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'>;
  unclaimedRefundDays: number;
}>;

/** Reads a subscription once more after each change of it: the snapshot that is recorded last may have been read earlier. */
export const confirmSnapshotsEffect = ({ stripe, unclaimedRefundDays }: ConfirmSnapshotsPorts): Effect =>
  defineEffect<SubscriptionObserved>({
    name: 'confirm-observations',
    afterReplay: 'run',
    types: { SubscriptionObserved: true },
    begins: 'next',
    concerns: ({ data }) => isToBeConfirmed(data),
    run: async ({ data }, { read, now }) => {
      if (!isToBeConfirmed(data)) return [];
      const snapshot = await observeSubscription(stripe, read, data.subscriptionId, 'newest');
      return snapshot ? recordSnapshot(snapshot, read, { unclaimedRefundDays, isSweep: false, now }) : [];
    },
  });
