import { isSamePlan, type BillingPeriod, type Plan } from '@tapedeck/plans/contract';
import type { Stripe } from 'stripe';
import type { StripeRequests, StripeResult } from '../port.ts';
import { amountChanged, done, itemOf, pricesOf, refusedWith } from './results.ts';
import { orRefused, orUnavailable } from './errors.ts';
import { planItem, priceIdOf, type PlanOf } from './price-book.ts';
import type { RequestOptions } from './request-options.ts';
import { idOf } from './values.ts';

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

type PhaseItem = Stripe.SubscriptionScheduleUpdateParams.Phase.Item;

/** As the subscription has it: what a phase does not name ends with its beginning. */
const phaseItem = ({
  price,
  quantity,
  discounts,
  tax_rates: taxRates,
}: Stripe.SubscriptionItem): PhaseItem => ({
  price: price.id,
  ...(quantity === undefined ? {} : { quantity }),
  ...(discounts.length === 0
    ? {}
    : { discounts: discounts.map((discount) => ({ discount: idOf(discount) ?? '' })) }),
  ...(taxRates && taxRates.length > 0 ? { tax_rates: taxRates.map(({ id }) => id) } : {}),
});

type NextPrice = Readonly<{
  key: string;
  subscription: Stripe.Subscription;
  /** The one that is the plan; the others stay as they are. */
  item: Stripe.SubscriptionItem;
  schedule: Stripe.SubscriptionSchedule;
  price: string;
  period: BillingPeriod;
}>;

/** From the end of the period on the plan has this price, and the subscription is without a schedule one period later. */
const schedulePhase = (
  stripe: Stripe,
  { key, subscription, item, schedule, price, period }: NextPrice,
): Promise<StripeResult> => {
  const items = subscription.items.data.map(phaseItem);
  const nextItems = subscription.items.data.map((one) =>
    one.id === item.id ? { ...phaseItem(one), price } : phaseItem(one),
  );
  // A phase has the discounts that it names: those of support would end with the change.
  const discounts = subscription.discounts.map((discount) => ({ discount: idOf(discount) ?? '' }));
  const kept = discounts.length === 0 ? {} : { discounts };
  const start = schedule.current_phase?.start_date ?? item.current_period_start;
  const end = item.current_period_end;
  return orRefused(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items, ...kept, start_date: start, end_date: end },
          {
            items: nextItems,
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
  { stripe, prices, priceBook }: RequestOptions,
  { key, subscriptionId, plan }: Parameters<StripeRequests['scheduleDowngrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription, await priceBook(pricesOf(subscription)));
  const schedule = await scheduleOf(stripe, subscription, key);
  return schedulePhase(stripe, { key, subscription, item, schedule, price, period: plan.period });
};

/** The plan of the subscription as far as its price is known. */
const isOtherPlan = (
  { price: { id, recurring } }: Stripe.SubscriptionItem,
  planOf: PlanOf,
  plan: Plan,
): boolean => {
  const known = planOf(id);
  return (
    (known !== null && !isSamePlan(known, plan)) ||
    recurring?.interval !== (plan.period === 'monthly' ? 'month' : 'year')
  );
};

/** The price of the plan in the phase after the current one; null without one. */
const nextPriceOf = async (
  { phases, current_phase: current }: Stripe.SubscriptionSchedule,
  { priceBook }: RequestOptions,
): Promise<string | null> => {
  const items = phases.find(({ start_date: start }) => start === current?.end_date)?.items ?? [];
  const planOf = await priceBook(items.map(({ price }) => idOf(price)).filter((id) => id !== null));
  return idOf(planItem(items, planOf)?.price);
};

/** Schedules the price that is sold, if it is the one that was announced, and not before the renewal that was. */
export const schedulePrice = async (
  options: RequestOptions,
  { key, subscriptionId, plan, expectedAmount, notBefore }: Parameters<StripeRequests['schedulePrice']>[0],
): Promise<StripeResult> => {
  const { stripe, prices, priceBook } = options;
  const price = priceIdOf(plan, prices);
  const { unit_amount: amount } = await orUnavailable(stripe.prices.retrieve(price));
  if (amount !== expectedAmount) return amountChanged;
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const planOf = await priceBook(pricesOf(subscription));
  const item = itemOf(subscription, planOf);
  if (item.price.id === price) return done;
  if (subscription.cancel_at !== null || subscription.cancel_at_period_end)
    return refusedWith('SUBSCRIPTION_ENDS', 'The subscription ends with its period.');
  if (isOtherPlan(item, planOf, plan)) return refusedWith('OTHER_PLAN', 'The subscription has another plan.');
  if (item.current_period_end * 1_000 < Date.parse(notBefore))
    return refusedWith('RENEWS_EARLIER', 'The next renewal is before the one that was announced.');
  const schedule = await scheduleOf(stripe, subscription, key);
  const next = await nextPriceOf(schedule, options);
  if (next !== null && next !== item.price.id && next !== price)
    return refusedWith('OTHER_PRICE_SCHEDULED', 'Another price is scheduled already.');
  return schedulePhase(stripe, { key, subscription, item, schedule, price, period: plan.period });
};
