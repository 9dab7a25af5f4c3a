import { boundary } from './calendar.ts';
import { invalid } from './failure.ts';
import type { Schedule, SchedulePhase, Subscription } from './objects.ts';
import {
  cancelSubscription,
  finalStatuses,
  intervalOf,
  isSameInterval,
  itemOf,
  itemsOfPhase,
  periodOf,
  releaseSchedule,
  updateSubscription,
  withItems,
} from './subscription-state.ts';
import { change, type Tx } from './transaction.ts';

type PhaseItem = Readonly<{ price: string; quantity: number }>;

export type PhaseRequest = Readonly<{
  items: readonly PhaseItem[];
  start: number | null;
  end: number | null;
  intervals: number;
  metadata: Readonly<Record<string, string>> | null;
  /** Ids: a phase without them has none. */
  discounts: readonly string[];
}>;

const phase = (
  items: readonly PhaseItem[],
  span: Readonly<{ start: number; end: number }>,
  { metadata, discounts }: Pick<PhaseRequest, 'metadata' | 'discounts'>,
): SchedulePhase => ({
  add_invoice_items: [],
  application_fee_percent: null,
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  currency: 'usd',
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
  end_date: span.end,
  invoice_settings: null,
  items: items.map(({ price, quantity }) => ({
    billing_thresholds: null,
    discounts: [],
    metadata: {},
    plan: price,
    price,
    quantity,
    tax_rates: [],
  })),
  metadata,
  on_behalf_of: null,
  proration_behavior: 'none',
  start_date: span.start,
  transfer_data: null,
  trial_end: null,
});

export const phaseItemsOf = ({ items }: Subscription): readonly PhaseItem[] =>
  items.data.map(({ price, quantity }) => ({ price: price.id, quantity }));

/** A schedule whose only phase is the current period. */
export const scheduleFrom = (tx: Tx, subscription: Subscription): Schedule => {
  if (finalStatuses.has(subscription.status) || subscription.status === 'incomplete')
    throw invalid('You cannot migrate a subscription that is not active to a schedule.', 'from_subscription');
  if (subscription.schedule !== null)
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}.`,
      'from_subscription',
    );
  const { start, end } = periodOf(subscription);
  const current = { metadata: null, discounts: subscription.discounts };
  const schedule: Schedule = {
    id: tx.newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: null,
    completed_at: null,
    created: tx.now,
    current_phase: { end_date: end, start_date: start },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: subscription.cancel_at_period_end ? 'cancel' : 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [phase(phaseItemsOf(subscription), { start, end }, current)],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
  tx.put('schedule', schedule);
  tx.emit('subscription_schedule.created', schedule);
  updateSubscription(tx, subscription, { schedule: schedule.id });
  return schedule;
};

const requireLive = (schedule: Schedule): void => {
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalid(
      `You cannot update or release a subscription schedule that is currently in the \`${schedule.status}\` status.`,
    );
};

/** Each phase begins where the one before it ends. */
const phasesOf = (tx: Tx, schedule: Schedule, requests: readonly PhaseRequest[]): SchedulePhase[] => {
  const phases: SchedulePhase[] = [];
  for (const request of requests) {
    const [price] = request.items.map((item) =>
      tx.require('price', item.price, 'phases[0][items][0][price]'),
    );
    if (!price) throw invalid('A phase has an item.', 'phases[0][items]');
    const start = request.start ?? phases.at(-1)?.end_date ?? schedule.phases[0]?.start_date ?? tx.now;
    const end = request.end ?? boundary(start, intervalOf(price), request.intervals);
    if (start !== (phases.at(-1)?.end_date ?? start))
      throw invalid('Each phase must start when the phase before it ends.', 'phases[1][start_date]');
    if (end <= start) throw invalid('The end of a phase must be after its start.', 'phases[0][end_date]');
    for (const discount of request.discounts) tx.require('discount', discount, 'phases[0][discounts]');
    phases.push(phase(request.items, { start, end }, request));
  }
  if (phases.length === 0) throw invalid('A schedule has at least one phase.', 'phases');
  if (phases[0]?.start_date !== schedule.current_phase?.start_date)
    throw invalid('You can not modify the start date of the current phase.', 'phases[0][start_date]');
  return phases;
};

const subscriptionOf = (tx: Tx, schedule: Schedule): Subscription =>
  tx.require('subscription', schedule.subscription ?? '');

/** The current phase holds at once: what it does not name is removed, without a credit. */
const applyPhase = (tx: Tx, subscription: Subscription, current: SchedulePhase): void => {
  const items = itemsOfPhase(tx, subscription, current);
  const after = { ...subscription, ...withItems(subscription, items) };
  const isSame = JSON.stringify(phaseItemsOf(after)) === JSON.stringify(phaseItemsOf(subscription));
  if (!isSame) updateSubscription(tx, subscription, withItems(subscription, items));
};

export const updateSchedule = (
  tx: Tx,
  schedule: Schedule,
  requests: readonly PhaseRequest[] | null,
  patch: Partial<Schedule>,
): Schedule => {
  requireLive(schedule);
  const phases = requests === null ? schedule.phases : phasesOf(tx, schedule, requests);
  const current = phases[0];
  const currentPhase = current
    ? { start_date: current.start_date, end_date: current.end_date }
    : schedule.current_phase;
  if (requests !== null && current) applyPhase(tx, subscriptionOf(tx, schedule), current);
  return change(
    tx,
    'schedule',
    schedule,
    { ...patch, phases, current_phase: currentPhase },
    'subscription_schedule.updated',
  );
};

export const endSchedule = (tx: Tx, schedule: Schedule, how: 'released' | 'canceled'): Schedule => {
  requireLive(schedule);
  const subscription = subscriptionOf(tx, schedule);
  if (how === 'canceled') cancelSubscription(tx, subscription, 'cancellation_requested');
  else {
    releaseSchedule(tx, subscription, 'released');
    updateSubscription(tx, subscription, { schedule: null });
  }
  return tx.require('schedule', schedule.id);
};

const discountsOf = ({ discounts }: SchedulePhase): string[] =>
  discounts.flatMap(({ discount }) => (typeof discount === 'string' ? [discount] : []));

/** The end of a phase: the next one applies, or the schedule is over. */
export const advanceSchedule = (tx: Tx, schedule: Schedule): void => {
  const subscription = subscriptionOf(tx, schedule);
  const next = schedule.phases.find(
    ({ start_date: start, end_date: end }) => start <= tx.now && end > tx.now,
  );
  if (!next) {
    if (schedule.end_behavior === 'cancel') {
      releaseSchedule(tx, subscription, 'completed');
      cancelSubscription(tx, { ...subscription, schedule: null }, 'cancellation_requested');
      return;
    }
    endSchedule(tx, schedule, 'released');
    return;
  }
  const after = { ...subscription, ...withItems(subscription, itemsOfPhase(tx, subscription, next)) };
  change(
    tx,
    'schedule',
    schedule,
    { current_phase: { start_date: next.start_date, end_date: next.end_date } },
    'subscription_schedule.updated',
  );
  const isSame = isSameInterval(itemOf(subscription).price, itemOf(after).price);
  updateSubscription(tx, subscription, {
    items: after.items,
    discounts: discountsOf(next),
    ...(isSame ? {} : { billing_cycle_anchor: tx.now }),
    ...(next.metadata === null ? {} : { metadata: { ...subscription.metadata, ...next.metadata } }),
  });
};
