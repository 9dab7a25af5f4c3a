import { isSamePlan, type BillingPeriod } from '@tapedeck/plans/contract';
import type { Stripe } from 'stripe';
import type { StripeRequests, StripeResult } from '../port.ts';
import { amountChanged, itemOf, refusedWith } from './refusals.ts';
import { orRefused, orUnavailable } from './errors.ts';
import { priceIdOf } from './price-book.ts';
import type { RequestOptions } from './request-options.ts';
import { idOf } from './values.ts';

const done: StripeResult = {};

/** A schedule would undo later changes. */
export const releaseSchedule = async (
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  key: string,
): Promise<StripeResult> => {
  const id = idOf(schedule);
  if (id === null) return done;
  return orRefused(stripe.subscriptionSchedules.release(id, {}, { idempotencyKey: `${key}-release` }));
};

/** That of the subscription; made when there is none. */
const scheduleOf = (
  stripe: Stripe,
  subscription: Stripe.Subscription,
  key: string,
): Promise<Stripe.SubscriptionSchedule> => {
  const existing = idOf(subscription.schedule);
  return orUnavailable(
    existing === null
      ? stripe.subscriptionSchedules.create(
          { from_subscription: subscription.id },
          { idempotencyKey: `${key}-schedule` },
        )
      : stripe.subscriptionSchedules.retrieve(existing),
  );
};

type NextPrice = Readonly<{
  key: string;
  subscription: Stripe.Subscription;
  schedule: Stripe.SubscriptionSchedule;
  price: string;
  period: BillingPeriod;
}>;

/** From the end of the period on the subscription has this price, and is without a schedule one period later. */
const schedulePhase = (
  stripe: Stripe,
  { key, subscription, schedule, price, period }: NextPrice,
): Promise<StripeResult> => {
  const item = itemOf(subscription);
  // A phase has the discounts that it names: those of support would end with the change.
  const discounts = subscription.discounts.map((discount) => ({ discount: idOf(discount) ?? '' }));
  const kept = discounts.length === 0 ? {} : { discounts };
  const start = schedule.current_phase?.start_date ?? item.current_period_start;
  const end = schedule.current_phase?.end_date ?? item.current_period_end;
  return orRefused(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items: [{ price: item.price.id, quantity: 1 }], ...kept, start_date: start, end_date: end },
          {
            items: [{ price, quantity: 1 }],
            ...kept,
            start_date: end,
            duration: { interval: period === 'monthly' ? 'month' : 'year', interval_count: 1 },
          },
        ],
      },
      { idempotencyKey: key },
    ),
  );
};

export const scheduleDowngrade = async (
  { stripe, prices }: RequestOptions,
  { key, subscriptionId, plan }: Parameters<StripeRequests['scheduleDowngrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  itemOf(subscription);
  const schedule = await scheduleOf(stripe, subscription, key);
  return schedulePhase(stripe, { key, subscription, schedule, price, period: plan.period });
};

/** The plan of the subscription as far as the settings name its price. */
const isOtherPlan = (
  { price: { id, recurring } }: Stripe.SubscriptionItem,
  { prices }: RequestOptions,
  plan: Parameters<StripeRequests['schedulePrice']>[0]['plan'],
): boolean => {
  const known = prices.find(({ priceId }) => priceId === id);
  return (
    (known !== undefined && !isSamePlan(known, plan)) ||
    recurring?.interval !== (plan.period === 'monthly' ? 'month' : 'year')
  );
};

/** Of the phase after the current one; null without one. */
const nextPriceOf = ({ phases, current_phase: current }: Stripe.SubscriptionSchedule): string | null =>
  idOf(phases.find(({ start_date: start }) => start === current?.end_date)?.items[0]?.price);

/** Schedules the price that is sold, if it is the one that was announced, and not before the renewal that was. */
export const schedulePrice = async (
  options: RequestOptions,
  { key, subscriptionId, plan, expectedAmount, notBefore }: Parameters<StripeRequests['schedulePrice']>[0],
): Promise<StripeResult> => {
  const { stripe, prices } = options;
  const price = priceIdOf(plan, prices);
  const { unit_amount: amount } = await orUnavailable(stripe.prices.retrieve(price));
  if (amount !== expectedAmount) return amountChanged;
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription);
  if (item.price.id === price) return done;
  if (subscription.cancel_at !== null || subscription.cancel_at_period_end)
    return refusedWith('SUBSCRIPTION_ENDS', 'The subscription ends with its period.');
  if (isOtherPlan(item, options, plan))
    return refusedWith('OTHER_PLAN', 'The subscription has another plan.');
  if (item.current_period_end * 1_000 < Date.parse(notBefore))
    return refusedWith('RENEWS_EARLIER', 'The next renewal is before the one that was announced.');
  const schedule = await scheduleOf(stripe, subscription, key);
  const next = nextPriceOf(schedule);
  if (next !== null && next !== item.price.id && next !== price)
    return refusedWith('OTHER_PRICE_SCHEDULED', 'Another price is scheduled already.');
  return schedulePhase(stripe, { key, subscription, schedule, price, period: plan.period });
};
