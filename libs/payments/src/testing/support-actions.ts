import { stateAfter } from '@tapedeck/eventing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { SubscriptionCommand } from '../domain/decide-subscription.ts';
import { subscriptionDecider } from '../domain/decide-subscription.ts';
import { planAction, planText, type PlanOptions } from '../domain/money-actions/plan-action.ts';
import type { ApproveMoneyAction, TakeMoneyAction } from '../domain/money-actions/take-action.ts';
import type { EndRefund, MoneyAction } from '../domain/subscription-events.ts';
import type { Subscription } from '../domain/subscription.ts';
import { day, intentId } from './snapshots.ts';
import { after, ann } from './subscription-history.ts';

export const [sam, eve] = ['sam', 'eve'].map((name) => accountId(derivedId(name))) as [
  ReturnType<typeof accountId>,
  ReturnType<typeof accountId>,
];

/** Of a page of Ann's on January 16, where above 200.00 a second person is needed. */
export const onPage = (given: Partial<PlanOptions> = {}): PlanOptions => ({
  accountId: ann,
  at: day('01-16'),
  limit: 20_000,
  handover: { intentId, emailHash: 'h', hasOtherSubscription: false },
  ...given,
});

export const stateOf = (...commands: readonly SubscriptionCommand[]): Subscription =>
  stateAfter(subscriptionDecider, after(...commands));

/** What Sam confirms after having seen it on the state after these commands. */
export const takeAfter = (
  shownAfter: readonly SubscriptionCommand[],
  action: MoneyAction,
  given: Partial<TakeMoneyAction> = {},
): TakeMoneyAction => {
  const options = onPage(given);
  return {
    type: 'TakeMoneyAction',
    actionId: 'action',
    action,
    shown: planText(planAction(action, stateOf(...shownAfter), options)),
    by: sam,
    reason: 'She has asked for it.',
    now: options.at,
    ...options,
    ...given,
  };
};

/** What Eve confirms after having seen a proposal on the state after these commands. */
export const approveAfter = (
  shownAfter: readonly SubscriptionCommand[],
  given: Partial<ApproveMoneyAction> = {},
): ApproveMoneyAction => {
  const options = onPage(given);
  const state = stateOf(...shownAfter);
  const action = state.proposals['action']?.action ?? { kind: 'cancel' };
  return {
    type: 'ApproveMoneyAction',
    proposalId: 'action',
    takenFor: 'She has asked for it.',
    shown: planText(planAction(action, state, options)),
    by: eve,
    reason: 'I have read the ticket.',
    now: options.at,
    ...options,
    ...given,
  };
};

export const refund = (amount: number): MoneyAction => ({ kind: 'refund', invoiceId: 'in_1', amount });
export const end = (part: EndRefund): MoneyAction => ({ kind: 'end', refund: part });

/** The code of the refusal of a command on the state after the others; `done` without one. */
export const refusalOf = (
  commands: readonly SubscriptionCommand[],
  command: () => SubscriptionCommand,
): string => {
  try {
    after(...commands, command());
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

export const requestIds = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
  Object.keys(stateOf(...commands).requests);
