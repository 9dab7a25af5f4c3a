import { derivedId, DomainError, type AccountId, daysAfter, conflict } from '@tapedeck/kernel';
import { requestEvent } from '../stripe-requests.ts';
import type { StripeRequest, SubscriptionEvent } from '../subscription-events.ts';
import type { Proposal, Subscription } from '../subscription.ts';
import type { MoneyAction } from '../money-action-events.ts';
import {
  actionSubject,
  handoverEvents,
  planAction,
  planText,
  type ActionPlan,
  type PlanOptions,
} from './plan-action.ts';

type Confirmed = Readonly<
  {
    /** `planText` of what was shown. */
    shown: string;
    by: AccountId;
    reason: string;
    now: string;
  } & PlanOptions
>;

/** Support has confirmed what was shown. Above the limit it becomes a proposal with the id of the action. */
export type TakeMoneyAction = Readonly<
  { type: 'TakeMoneyAction'; actionId: string; action: MoneyAction } & Confirmed
>;

/** A second person has confirmed what was shown. */
export type ApproveMoneyAction = Readonly<
  { type: 'ApproveMoneyAction'; proposalId: string; takenFor: string | null } & Confirmed
>;

export type RejectMoneyAction = Readonly<{
  type: 'RejectMoneyAction';
  proposalId: string;
  by: AccountId;
  /** Others can only withdraw what they have proposed. */
  isAdmin: boolean;
  reason: string;
  now: string;
}>;

/** Sent when its time has come. */
export type ExpireMoneyAction = Readonly<{ type: 'ExpireMoneyAction'; proposalId: string; now: string }>;

const proposalDays = 7;

const assertAsShown = (plan: ActionPlan, shown: string): void => {
  if (planText(plan) === shown) return;
  throw conflict(
    'PREVIEW_CHANGED',
    'What you have seen has changed in the meantime, and nothing was done: look at it again, then confirm.',
  );
};

const requestsFor = (action: MoneyAction, { refunds }: ActionPlan): readonly StripeRequest[] => {
  const refundRequests = refunds.map(
    ({ invoiceId, amount }) => ({ kind: 'refund', invoiceId, cause: 'support', amount }) as const,
  );
  switch (action.kind) {
    case 'refund':
      return refundRequests;
    case 'end':
      return [{ kind: 'end-now', cause: 'support' }, ...refundRequests];
    case 'cancel':
      return [{ kind: 'cancel', reason: null }];
    case 'resume':
      return [{ kind: 'resume' }];
    case 'retry':
      return [{ kind: 'pay', invoiceId: action.invoiceId, expectedAmount: action.amount }];
    case 'attach':
    case 'transfer':
      return [];
    default:
      return action satisfies never;
  }
};

const effectsOf = (
  actionId: string,
  action: MoneyAction,
  plan: ActionPlan,
  state: Subscription,
  options: PlanOptions,
): readonly SubscriptionEvent[] =>
  action.kind === 'attach' || action.kind === 'transfer'
    ? handoverEvents(action, state, options)
    : requestsFor(action, plan).map((request, index) =>
        requestEvent(state, derivedId('money action', actionId, String(index)), request, { actionId }),
      );

const openProposalOf = ({ proposals }: Subscription): Proposal | undefined =>
  Object.values(proposals).find(({ outcome }) => outcome === 'open');

/** The same confirmation is executed once. */
export const takeMoneyAction = (
  command: TakeMoneyAction,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { actionId, action, shown, by, reason, now, accountId } = command;
  if (state.actions[actionId] || state.proposals[actionId]) return [];
  const plan = planAction(action, state, command);
  assertAsShown(plan, shown);
  const { refunds, currency, stake } = plan;
  const subscriptionId = state.observed?.subscriptionId ?? '';
  const about = { subscriptionId, accountId, action, refunds, currency, stake, by, reason };
  const personalSubject = actionSubject(state);
  if (plan.needsApproval) {
    if (openProposalOf(state))
      throw conflict(
        'PROPOSAL_WAITS',
        'Another action of this subscription waits for approval: have it approved or rejected first.',
      );
    const expiresAt = daysAfter(now, proposalDays);
    const proposed = { proposalId: actionId, proposedAt: now, expiresAt };
    return [{ type: 'MoneyActionProposed', data: { ...about, ...proposed, personalSubject } }];
  }
  const taken = { actionId, takenAt: now, approvedBy: null, approvalReason: null };
  return [
    { type: 'MoneyActionTaken', data: { ...about, ...taken, personalSubject } },
    ...effectsOf(actionId, action, plan, state, command),
  ];
};

const openProposal = (state: Subscription, proposalId: string, now: string): Proposal => {
  const proposal = state.proposals[proposalId];
  if (!proposal)
    throw new DomainError('not-found', 'PROPOSAL_NOT_FOUND', 'There is no such proposal: reload the page.');
  if (proposal.outcome === 'expired' || (proposal.outcome === 'open' && proposal.expiresAt <= now))
    throw conflict('PROPOSAL_EXPIRED', 'The proposal has expired: begin the action again.');
  if (proposal.outcome !== 'open')
    throw conflict(
      'PROPOSAL_DECIDED',
      `The proposal was ${proposal.outcome} in the meantime: reload the page.`,
    );
  return proposal;
};

/** What it does is computed again; `takenFor` is the reason of the proposal. */
export const approveMoneyAction = (
  command: ApproveMoneyAction,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { proposalId, takenFor, shown, by: approvedBy, reason: approvalReason, now } = command;
  const { action, accountId, by } = openProposal(state, proposalId, now);
  if (by === approvedBy)
    throw new DomainError(
      'forbidden',
      'OWN_PROPOSAL',
      'You have proposed this yourself: another admin has to approve it.',
    );
  const plan = planAction(action, state, { ...command, accountId });
  assertAsShown(plan, shown);
  const { refunds, currency, stake } = plan;
  const subscriptionId = state.observed?.subscriptionId ?? '';
  const about = { subscriptionId, accountId, action, refunds, currency, stake, by, reason: takenFor };
  const taken = { actionId: proposalId, takenAt: now, approvedBy, approvalReason };
  return [
    { type: 'MoneyActionTaken', data: { ...about, ...taken, personalSubject: actionSubject(state) } },
    ...effectsOf(proposalId, action, plan, state, { ...command, accountId }),
  ];
};

export const rejectMoneyAction = (
  { proposalId, by, isAdmin, reason, now }: RejectMoneyAction,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { accountId, by: proposedBy } = openProposal(state, proposalId, now);
  const isWithdrawn = by === proposedBy;
  if (!isAdmin && !isWithdrawn)
    throw new DomainError(
      'forbidden',
      'PROPOSAL_OF_ANOTHER',
      'Someone else proposed this: an admin has to decide about it.',
    );
  const subscriptionId = state.observed?.subscriptionId ?? '';
  const kept = state.isForgotten ? null : reason;
  const data = { subscriptionId, accountId, proposalId, by, isWithdrawn, reason: kept };
  return [{ type: 'MoneyActionRejected', data: { ...data, personalSubject: actionSubject(state) } }];
};

export const expireMoneyAction = (
  { proposalId, now }: ExpireMoneyAction,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const proposal = state.proposals[proposalId];
  if (proposal?.outcome !== 'open' || proposal.expiresAt > now) return [];
  const subscriptionId = state.observed?.subscriptionId ?? '';
  return [
    { type: 'MoneyActionExpired', data: { subscriptionId, accountId: proposal.accountId, proposalId } },
  ];
};
