import type { Effect, RecordedEvent } from '@tapedeck/eventing';
import { isToBeConfirmed } from '../domain/subscription.ts';
import type { SubscriptionObserved } from '../events.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { recordSnapshot } from '../recording/record-snapshot.ts';

export type ConfirmSnapshotsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'>;
  unclaimedRefundDays: number;
}>;

const dataOf = (event: RecordedEvent): SubscriptionObserved['data'] =>
  (event as unknown as RecordedEvent<SubscriptionObserved>).data;

/** Reads a subscription once more after each change of it: what is recorded last need not have been read last. */
export const confirmSnapshotsEffect = ({ stripe, unclaimedRefundDays }: ConfirmSnapshotsPorts): Effect => ({
  name: 'confirm-observations',
  afterReplay: 'run',
  types: ['SubscriptionObserved'],
  begins: 'next',
  concerns: (event) => isToBeConfirmed(dataOf(event)),
  run: async (event, { read, now }) => {
    if (!isToBeConfirmed(dataOf(event))) return [];
    const snapshot = await stripe.readSubscription(dataOf(event).subscriptionId, 'newest');
    return snapshot ? recordSnapshot(snapshot, read, { unclaimedRefundDays, isSweep: false, now }) : [];
  },
});
