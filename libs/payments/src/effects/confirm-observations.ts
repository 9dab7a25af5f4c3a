import type { Effect, RecordedEvent } from '@tapedeck/eventing';
import { isToBeConfirmed } from '../domain/subscription.ts';
import type { SubscriptionObserved } from '../events.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { recordReading } from '../recording/record-reading.ts';

export type ConfirmObservationsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'>;
  unclaimedRefundDays: number;
}>;

const dataOf = (event: RecordedEvent): SubscriptionObserved['data'] =>
  (event as unknown as RecordedEvent<SubscriptionObserved>).data;

/** Reads a subscription once more after each change of it: what is recorded last need not have been read last. */
export const confirmObservationsEffect = ({
  stripe,
  unclaimedRefundDays,
}: ConfirmObservationsPorts): Effect => ({
  name: 'confirm-observations',
  afterReplay: 'run',
  types: ['SubscriptionObserved'],
  begins: 'next',
  concerns: (event) => isToBeConfirmed(dataOf(event)),
  run: async (event, { read, now }) => {
    if (!isToBeConfirmed(dataOf(event))) return [];
    const reading = await stripe.readSubscription(dataOf(event).subscriptionId, 'newest');
    return reading ? recordReading(reading, read, { unclaimedRefundDays, isSweep: false, now }) : [];
  },
});
