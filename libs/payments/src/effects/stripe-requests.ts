import { defineEffect, dispatch, type Dispatch, type Effect, type EffectContext } from '@tapedeck/eventing';
import { subscriptions } from '../domain/decide-subscription.ts';
import { priceChanges, priceStream, withdrawnIn } from '../domain/price-change.ts';
import { isPlanChange, isPriceChange } from '../domain/stripe-requests.ts';
import {
  subscriptionStream,
  type StripeRequest,
  type StripeWriteRequested,
} from '../domain/subscription-events.ts';
import type { StripeReads, StripeRequests, StripeResult } from '@tapedeck/stripe/port';
import { observeSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';

export type StripeRequestsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'> & StripeRequests;
  unclaimedRefundDays: number;
}>;

const execute = (
  stripe: StripeRequests,
  subscriptionId: string,
  request: StripeRequest,
  key: string,
): Promise<StripeResult> => {
  const target = { key, subscriptionId };
  switch (request.kind) {
    case 'cancel':
      return stripe.cancelAtPeriodEnd(target);
    case 'resume':
      return stripe.resume(target);
    case 'upgrade':
      return stripe.upgrade({
        ...target,
        plan: request.plan,
        prorationDate: request.prorationDate,
        expectedAmount: request.expectedAmount,
      });
    case 'downgrade':
      return stripe.scheduleDowngrade({ ...target, plan: request.plan });
    case 'keep-plan':
      return stripe.keepPlan(target);
    case 'announced-price': {
      const { plan, amount: expectedAmount, notBefore } = request;
      return stripe.schedulePrice({ ...target, plan, expectedAmount, notBefore });
    }
    case 'keep-price':
      return stripe.keepPlan(target);
    case 'end-now':
      return stripe.endNow(target);
    case 'refund': {
      const { invoiceId, amount } = request;
      return stripe.refund({ ...target, invoiceId, ...(amount === undefined ? {} : { amount }) });
    }
    case 'pay': {
      const { invoiceId, expectedAmount } = request;
      return stripe.payInvoice({ ...target, invoiceId, expectedAmount });
    }
    default:
      return request satisfies never;
  }
};

const outcomeOf = (
  { subscriptionId, requestId }: StripeWriteRequested['data'],
  { refused }: StripeResult,
): Dispatch =>
  dispatch(
    subscriptions,
    subscriptionStream(subscriptionId),
    refused
      ? { type: 'RefuseStripeRequest', requestId, code: refused.code, fixUrl: refused.fixUrl }
      : { type: 'CompleteStripeRequest', requestId },
  );

const withdrawn: StripeResult = {
  refused: { code: 'PRICE_WITHDRAWN', message: 'The announcement was withdrawn.', fixUrl: null },
};

/** The owner may not know it yet: no price is charged whose announcement was withdrawn. */
const isWithdrawn = async (request: StripeRequest, read: EffectContext['read']): Promise<boolean> => {
  if (request.kind !== 'announced-price') return false;
  const state = await read(priceChanges, priceStream(request.plan));
  return withdrawnIn(state).includes(request.announcementId);
};

const handleRequest = async (
  data: StripeWriteRequested['data'],
  { read, key, now }: EffectContext,
  { stripe, unclaimedRefundDays }: StripeRequestsPorts,
): Promise<readonly Dispatch[]> => {
  const { subscriptionId, requestId, write: request } = data;
  // A request that was resolved meanwhile is not sent.
  const { requests } = await read(subscriptions, subscriptionStream(subscriptionId));
  if (requests[requestId]?.outcome !== 'requested') return [];
  const result = (await isWithdrawn(request, read))
    ? withdrawn
    : await execute(stripe, subscriptionId, request, key);
  const scope = isPlanChange(request) || isPriceChange(request) ? 'newest' : 'all';
  const snapshot = await observeSubscription(stripe, read, subscriptionId, scope);
  const options = { unclaimedRefundDays, isSweep: false, now };
  const recorded = snapshot ? await recordSnapshot(snapshot, read, options) : [];
  return [...recorded, outcomeOf(data, result)];
};

export const stripeRequestsName = 'stripe-writes';

/** Makes the requested changes at Stripe, and records the subscription as it is afterwards. */
export const stripeRequestsEffect = (ports: StripeRequestsPorts): Effect =>
  defineEffect<StripeWriteRequested>({
    name: stripeRequestsName,
    afterReplay: 'hold',
    types: { StripeWriteRequested: true },
    run: ({ data }, context) => handleRequest(data, context, ports),
  });
