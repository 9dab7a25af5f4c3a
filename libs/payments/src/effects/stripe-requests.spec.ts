import { describe, expect, it } from '@jest/globals';
import { stateAfter, type EffectContext } from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import type { StripePort } from '@tapedeck/stripe/port';
import { subscriptions, subscriptionDecider } from '../domain/decide-subscription.ts';
import { priceChanges, type PriceChange } from '../domain/price-change.ts';
import { announcement, apply, notice, renewed } from '../testing/price-notices.ts';
import { day } from '../testing/snapshots.ts';
import { after, bought } from '../testing/subscription-history.ts';
import { stripeRequestsEffect } from './stripe-requests.ts';

/** What Stripe is asked for, and what is recorded of it. */
const handled = async (state: PriceChange): Promise<readonly unknown[]> => {
  const events = after(bought, notice(), renewed, apply());
  const index = events.findIndex(({ type }) => type === 'StripeWriteRequested');
  const asked: unknown[] = [];
  const effect = stripeRequestsEffect({
    unclaimedRefundDays: 30,
    // Any other request would be a mistake.
    stripe: {
      readSubscription: async () => undefined,
      schedulePrice: async ({ expectedAmount, notBefore }) => {
        asked.push({ expectedAmount, notBefore });
        return {};
      },
    } as Partial<StripePort> as StripePort,
  });
  const states = new Map<unknown, unknown>([
    [subscriptions, stateAfter(subscriptionDecider, events)],
    [priceChanges, state],
  ]);
  const context: EffectContext = {
    read: async (target) =>
      (states.get(target) ?? target.decider.initialState) as typeof target.decider.initialState,
    key: 'key',
    now: day('02-28'),
    attempt: 1,
    signal: new AbortController().signal,
  };
  const [event] = events.slice(index);
  if (!event) throw new Error('Nothing was requested.');
  const dispatches = await effect.run(recordedEvent(event, { version: index + 1 }), context);
  return [asked, dispatches.map(({ command }) => command)];
};

describe('an announced price', () => {
  it('is requested of Stripe with its amount, for no renewal before the announced one', async () => {
    expect(await handled({ status: 'announced', announcement, withdrawn: [] })).toMatchObject([
      [{ expectedAmount: 1_499, notBefore: day('03-01') }],
      [{ type: 'CompleteStripeRequest' }],
    ]);
  });

  const refused = [[], [{ type: 'RefuseStripeRequest', code: 'PRICE_WITHDRAWN' }]];
  const another = { ...announcement, announcementId: 'another' };

  it('is not requested once it is withdrawn, also before its member knows', async () => {
    expect(await handled({ status: 'withdrawn', announcement, withdrawn: ['raise'] })).toMatchObject(refused);
    const other = { status: 'withdrawn', announcement: another, withdrawn: ['another'] } as const;
    expect((await handled(other))[0]).toHaveLength(1);
  });

  it('is not requested when another one was announced since its withdrawal', async () => {
    const again = { status: 'announced', announcement: another, withdrawn: ['raise'] } as const;
    expect(await handled(again)).toMatchObject(refused);
  });
});
