import { readable, type RecordedEvent } from '@tapedeck/eventing/core';
import type { Plan } from '@tapedeck/plans/contract';
import type { Billing } from '../contract.ts';
import { isPeriodPaid, openFailures, subscribedPlanOf, termsOf } from '../domain/entitlement.ts';
import { announcedPriceOf, renewalAmountOf } from '../domain/price-notice.ts';
import { isPlanChange, openRequestOf } from '../domain/stripe-requests.ts';
import type { SubscriptionEvent } from '../domain/subscription-events.ts';
import { isPaidByAnother, type ObservedSnapshot, type Subscription } from '../domain/subscription.ts';
import { processingText, refusalMessage } from '../domain/texts.ts';

type Main = NonNullable<Billing['subscription']>;
type Other = Billing['others'][number];
type Terms = Omit<Other, 'startedAt'>;

/** A subscription with the events of its owner's subscriptions, and the instant for which it is shown. */
export type Shown = Readonly<{
  state: Subscription;
  events: readonly RecordedEvent<SubscriptionEvent>[];
  now: string;
}>;

/** Undefined before the first snapshot, and for a price that belongs to no plan. */
const termsIn = ({ state, now }: Pick<Shown, 'state' | 'now'>): Terms | undefined => {
  const { observed } = state;
  const [plan, terms] = [subscribedPlanOf(state), termsOf(state)];
  if (!observed || !plan || !terms) return undefined;
  const { subscriptionId, amount, currency, periodEnd, addsTaxes = false } = observed;
  const { endsAt, phase, nextAttemptAt } = terms;
  return {
    subscriptionId,
    ...plan,
    amount,
    currency,
    addsTaxes,
    announcedPrice: announcedPriceOf(state) ?? null,
    nextChargeAt: endsAt === null ? periodEnd : null,
    endsAt,
    isPeriodPaid: isPeriodPaid(state),
    isDue: phase === 'past-due' || phase === 'suspended',
    nextAttemptAt: nextAttemptAt !== null && nextAttemptAt > now ? nextAttemptAt : null,
    isPaidByAnother: isPaidByAnother(state),
  };
};

const refusedForMs = 86_400_000;

/** The newest of the changes that the member has made, while its refusal is new or can still be paid. */
const refusalOf = (
  { state, events, now }: Shown,
  { pendingPlan }: Pick<ObservedSnapshot, 'pendingPlan'>,
): Main['refused'] => {
  const [requestId, newest] =
    Object.entries(state.requests).findLast(([, { write }]) => isPlanChange(write)) ?? [];
  if (newest?.outcome !== 'refused') return null;
  const refusedAt = events.findLast(
    ({ type, data }) => type === 'StripeWriteRefused' && data.requestId === requestId,
  )?.metadata.occurredAt;
  const isNew = Date.parse(now) - Date.parse(refusedAt ?? now) < refusedForMs;
  if (pendingPlan === null && !isNew) return null;
  return {
    message: refusalMessage(newest.refusal?.code ?? '', newest.write.kind),
    // The invoice is voided with the pending plan.
    fixUrl: pendingPlan === null ? null : (newest.refusal?.fixUrl ?? null),
  };
};

/** `amountOf`: what a plan costs that is sold; undefined for another one. */
export const mainSubscription = (
  shown: Shown,
  amountOf: (plan: Plan) => number | undefined,
): Billing['subscription'] => {
  const { state } = shown;
  const { observed } = state;
  const [common, terms] = [termsIn(shown), termsOf(state)];
  if (!observed || !common || !terms) return null;
  const { scheduledPlan } = observed;
  // Stripe goes on charging the price of the subscription, unless another one was announced to its owner.
  const nextAmount = scheduledPlan
    ? (amountOf(scheduledPlan) ?? observed.amount)
    : renewalAmountOf(state, observed);
  const open = openRequestOf(state);
  return {
    ...common,
    nextAmount: terms.endsAt === null ? nextAmount : null,
    scheduledPlan: terms.scheduledPlan,
    pendingPlan: observed.pendingPlan,
    card: isPaidByAnother(state) ? null : readable(observed.card, null),
    pastDueSince: terms.pastDueSince,
    isDisputed: terms.isDisputed,
    needsConfirmation: openFailures(state).some(({ needsAction }) => needsAction),
    processing: open ? processingText(open.write) : null,
    refused: refusalOf(shown, observed),
  };
};

export const otherSubscription = (shown: Pick<Shown, 'state' | 'now'>): readonly Other[] => {
  const terms = termsIn(shown);
  return terms ? [{ ...terms, startedAt: shown.state.observed?.startedAt ?? shown.now }] : [];
};
