import {
  dispatch,
  type Dispatch,
  type Effect,
  type EffectContext,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { subscriptions } from '../command-targets.ts';
import { subscriptionStream, type StripeWrite, type StripeWriteRequested } from '../events.ts';
import type { StripeReads, StripeWrites, WriteResult } from '@tapedeck/stripe/port';
import { recordReading } from '../recording/record-reading.ts';

export type StripeWritesPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'> & StripeWrites;
  unclaimedRefundDays: number;
}>;

const execute = (
  stripe: StripeWrites,
  subscriptionId: string,
  write: StripeWrite,
  key: string,
): Promise<WriteResult> => {
  const target = { key, subscriptionId };
  switch (write.kind) {
    case 'cancel':
      return stripe.cancelAtPeriodEnd(target);
    case 'resume':
      return stripe.resume(target);
    case 'upgrade':
      return stripe.upgrade({ ...target, plan: write.plan, prorationDate: write.prorationDate });
    case 'downgrade':
      return stripe.scheduleDowngrade({ ...target, plan: write.plan });
    case 'keep-plan':
      return stripe.keepPlan(target);
    case 'end-now':
      return stripe.endNow(target);
    case 'refund':
      return stripe.refund({ ...target, invoiceId: write.invoiceId });
    default:
      return write satisfies never;
  }
};

const outcomeOf = (
  { subscriptionId, requestId }: StripeWriteRequested['data'],
  { refused }: WriteResult,
): Dispatch =>
  dispatch(
    subscriptions,
    subscriptionStream(subscriptionId),
    refused
      ? { type: 'RefuseWrite', requestId, code: refused.code, fixUrl: refused.fixUrl }
      : { type: 'CompleteWrite', requestId },
  );

const handleRequest = async (
  data: StripeWriteRequested['data'],
  { read, key, now }: EffectContext,
  { stripe, unclaimedRefundDays }: StripeWritesPorts,
): Promise<readonly Dispatch[]> => {
  const { subscriptionId, requestId, write } = data;
  // One that was resolved meanwhile is not made any more.
  const { requests } = await read(subscriptions, subscriptionStream(subscriptionId));
  if (requests[requestId]?.outcome !== 'requested') return [];
  const result = await execute(stripe, subscriptionId, write, key);
  const scope = write.kind === 'refund' || write.kind === 'end-now' ? 'all' : 'newest';
  const reading = await stripe.readSubscription(subscriptionId, scope);
  const options = { unclaimedRefundDays, isSweep: false, now };
  const recorded = reading ? await recordReading(reading, read, options) : [];
  return [...recorded, outcomeOf(data, result)];
};

export const stripeWritesName = 'stripe-writes';

/** Changes at Stripe what members, support and due dates have asked for, and records what it is like afterwards. */
export const stripeWritesEffect = (ports: StripeWritesPorts): Effect => ({
  name: stripeWritesName,
  afterReplay: 'hold',
  types: ['StripeWriteRequested'],
  run: (event, context) => handleRequest((event as RecordedEvent<StripeWriteRequested>).data, context, ports),
});
