import { daysAfter } from '@tapedeck/kernel';
import type { AccountId } from '@tapedeck/kernel';
import { transferPurchase } from '../claim-purchase.ts';
import { entitlementOf, refundedPeriodOf } from '../entitlement.ts';
import { subscriptionSubject, type Entitlement, type SubscriptionEvent } from '../subscription-events.ts';
import { contentText, evolve, type ObservedSnapshot, type Subscription } from '../subscription.ts';
import { assertPossible } from './assert-possible.ts';
import type { MoneyAction, PaymentPart } from '../money-action-events.ts';
import { partsOfPeriod, refundableAmount, sumOf } from './refundable.ts';

/** Who a purchase goes to, and what its rules ask of other streams. */
export type Handover = Readonly<{
  intentId: string;
  /** Keyed hash of the address that paid. */
  emailHash: string;
  hasOtherSubscription: boolean;
}>;

export type PlanOptions = Readonly<{
  /** The member on whose page it is done. */
  accountId: AccountId;
  /** The instant for which it is computed. */
  at: string;
  /** Above this sum a second person is needed, in minor units. */
  limit: number;
  handover: Handover | null;
}>;

/** All that an action does. Equal plans do the same. */
export type ActionPlan = Readonly<{
  refunds: readonly PaymentPart[];
  /** What can be given back of these payments before. */
  refundable: readonly PaymentPart[];
  charge: PaymentPart | null;
  /** When the subscription ends by it; null when it goes on. */
  endsAt: string | null;
  currency: string;
  /** What goes back, or is taken away of the paid time, in minor units. */
  stake: number;
  needsApproval: boolean;
  /** What the accounts are entitled to by this purchase afterwards. */
  entitlements: readonly Entitlement[];
}>;

/** What is compared with what was shown. */
export const planText = (plan: ActionPlan): string => contentText(plan);

/** What was done without a second person in the day before: several small actions are one large one. */
const recentStake = ({ actions }: Subscription, at: string): number => {
  const since = daysAfter(at, -1);
  return Object.values(actions)
    .filter(({ takenAt, isApproved }) => !isApproved && takenAt > since)
    .reduce((sum, { stake }) => sum + stake, 0);
};

const withRefunds = (state: Subscription, refunds: readonly PaymentPart[], at: string): Subscription =>
  refunds.reduce(
    (before, { invoiceId, amount }, index) =>
      evolve(before, {
        type: 'RefundRecorded',
        data: {
          subscriptionId: before.observed?.subscriptionId ?? '',
          refundId: `planned ${index}`,
          invoiceId,
          chargeId: null,
          amount,
          currency: before.observed?.currency ?? '',
          status: 'succeeded',
          refundedAt: at,
        },
      }),
    state,
  );

const observedAs = (state: Subscription, patch: Partial<ObservedSnapshot>): Subscription =>
  state.observed ? { ...state, observed: { ...state.observed, ...patch } } : state;

/** As if the invoice were for what Stripe says of the subscription now. */
const withPayment = (
  state: Subscription,
  { invoiceId, amount }: PaymentPart,
  observed: ObservedSnapshot,
  at: string,
): Subscription => {
  const { subscriptionId, currency, plan, pendingPlan, periodStart, periodEnd } = observed;
  const paid = pendingPlan ? { tier: pendingPlan.tier, period: pendingPlan.period } : plan;
  const payment: SubscriptionEvent = {
    type: 'PaymentRecorded',
    data: {
      subscriptionId,
      invoiceId,
      amountPaid: amount,
      currency,
      reason: 'planned',
      plan: paid,
      periodStart,
      periodEnd,
      chargeId: null,
      paymentIntentId: null,
      paidAt: at,
    },
  };
  return observedAs(evolve(state, payment), { status: 'active', plan: paid });
};

export const handoverEvents = (
  action: Extract<MoneyAction, { kind: 'attach' | 'transfer' }>,
  state: Subscription,
  { at, handover }: Pick<PlanOptions, 'at' | 'handover'>,
): readonly SubscriptionEvent[] =>
  handover === null
    ? []
    : transferPurchase(
        {
          type: 'TransferPurchase',
          intentId: handover.intentId,
          toAccountId: action.toAccountId,
          fromEmailHash: handover.emailHash,
          proof: 'support',
          hasOtherSubscription: handover.hasOtherSubscription,
          now: at,
        },
        state,
      );

type Outcome = Pick<ActionPlan, 'refunds' | 'charge' | 'endsAt' | 'stake' | 'entitlements'>;

const nothing: Outcome = { refunds: [], charge: null, endsAt: null, stake: 0, entitlements: [] };

const entitled = (state: Subscription): readonly Entitlement[] => {
  const entitlement = entitlementOf(state);
  return entitlement ? [entitlement] : [];
};

const outcomeOf = (
  action: MoneyAction,
  state: Subscription,
  observed: ObservedSnapshot,
  options: PlanOptions,
): Outcome => {
  const { at } = options;
  switch (action.kind) {
    case 'refund': {
      const refunds = [{ invoiceId: action.invoiceId, amount: action.amount }];
      const after = withRefunds(state, refunds, at);
      // What is paid for nothing is ended too.
      const endsAt = refundedPeriodOf(after) && observed.endedAt === null ? at : null;
      return { ...nothing, refunds, endsAt, stake: action.amount, entitlements: entitled(after) };
    }
    case 'cancel': {
      const after = observedAs(state, { cancelAtPeriodEnd: true });
      return { ...nothing, endsAt: observed.periodEnd, entitlements: entitled(after) };
    }
    case 'resume':
      return {
        ...nothing,
        entitlements: entitled(observedAs(state, { cancelAtPeriodEnd: false, cancelAt: null })),
      };
    case 'end': {
      const refunds = partsOfPeriod(state, action.refund, at);
      const ended = observedAs(state, { status: 'canceled', endedAt: at, pendingPlan: null });
      const stake = Math.max(sumOf(refunds), sumOf(partsOfPeriod(state, 'unused', at)));
      const entitlements = entitled(withRefunds(ended, refunds, at));
      return { ...nothing, refunds, endsAt: at, stake, entitlements };
    }
    case 'retry': {
      const charge = { invoiceId: action.invoiceId, amount: action.amount };
      return { ...nothing, charge, entitlements: entitled(withPayment(state, charge, observed, at)) };
    }
    case 'attach':
    case 'transfer': {
      const events = handoverEvents(action, state, options);
      const former = events.flatMap((event) => (event.type === 'EntitlementChanged' ? [event.data] : []));
      return { ...nothing, entitlements: [...former, ...entitled(events.reduce(evolve, state))] };
    }
    default:
      return action satisfies never;
  }
};

/**
 * What an action would do to a subscription, and to what it entitles its owner to, by what is recorded.
 *
 * @throws DomainError when it is not possible; its sentence says what to do instead
 */
export const planAction = (action: MoneyAction, state: Subscription, options: PlanOptions): ActionPlan => {
  const observed = assertPossible(action, state, options);
  const outcome = outcomeOf(action, state, observed, options);
  const refundable = outcome.refunds.map(({ invoiceId }) => {
    const payment = state.payments[invoiceId];
    return { invoiceId, amount: payment ? refundableAmount(state, payment) : 0 };
  });
  const { at, limit } = options;
  const needsApproval = outcome.stake > 0 && outcome.stake + recentStake(state, at) > limit;
  return { ...outcome, refundable, currency: observed.currency, needsApproval };
};

export const actionSubject = ({ observed }: Subscription): string =>
  subscriptionSubject(observed?.subscriptionId ?? '');
