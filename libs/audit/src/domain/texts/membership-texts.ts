import type { MembershipEnded, MembershipEvent } from '@tapedeck/membership/events';
import type { EventTexts } from './event-texts.ts';
import { on, planText } from './words.ts';

const endReasons: Readonly<Record<MembershipEnded['data']['reason'], string>> = {
  canceled: 'it was cancelled',
  refunded: 'the payment was refunded',
  'dispute-lost': 'the dispute was lost',
  unpaid: 'it was not paid',
  unclaimed: 'the purchase was not claimed',
  'account-closed': 'the account was deleted',
  transferred: 'the purchase was transferred to another account',
  'other-price': 'its price belongs to none of the plans',
  withdrawn: 'the owner has withdrawn from the contract',
  'second-purchase': 'the account had another subscription already',
  abandoned: 'the first payment was not completed',
};

const grantEnds = {
  expired: 'Granted access has expired',
  revoked: 'Granted access revoked',
  paid: 'Granted access replaced by a subscription',
} as const;

export const membershipTexts: EventTexts<MembershipEvent> = {
  MembershipOpened: {
    lane: 'membership',
    text: ({ subscriptionId }) => `Membership by subscription ${subscriptionId} opened, without access yet`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  MembershipActivated: {
    lane: 'membership',
    text: ({ paidUntil, ...plan }) => `${planText(plan)} activated, paid until ${on(paidUntil)}`,
  },
  MembershipRenewed: { lane: 'membership', text: ({ paidUntil }) => `Renewed, paid until ${on(paidUntil)}` },
  PaidPeriodCorrected: {
    lane: 'membership',
    text: ({ paidUntil }) => `Paid period corrected: until ${on(paidUntil)}`,
  },
  MembershipReinstated: {
    lane: 'membership',
    text: ({ paidUntil }) => `Access restored, paid until ${on(paidUntil)}`,
  },
  TierChanged: {
    lane: 'membership',
    text: ({ fromTier, fromPeriod, ...plan }) =>
      `Plan changed from ${planText({ tier: fromTier, period: fromPeriod })} to ${planText(plan)}`,
  },
  CancellationScheduled: {
    lane: 'membership',
    text: ({ endsAt }) => `Cancelled: the subscription ends on ${on(endsAt)}`,
  },
  CancellationWithdrawn: {
    lane: 'membership',
    text: () => 'Cancellation withdrawn: the subscription renews',
  },
  GraceStarted: {
    lane: 'membership',
    text: ({ cause, until }) =>
      `${cause === 'payment-failed' ? 'A payment failed' : 'Stripe has not confirmed the renewal'}: access continues until ${on(until)}`,
  },
  GraceReminderDue: {
    lane: 'mail',
    text: ({ which, until }) =>
      `${which === 'last' ? 'Last reminder' : 'Reminder'} of the unpaid renewal due: access continues until ${on(until)}`,
  },
  MembershipSuspended: {
    lane: 'membership',
    text: ({ cause }) =>
      cause === 'grace-over'
        ? 'Access suspended: the grace is over'
        : 'Access suspended by the status at Stripe',
  },
  MembershipEnded: { lane: 'membership', text: ({ reason }) => `Membership ended: ${endReasons[reason]}` },
  EntitlementNoted: {
    lane: 'membership',
    text: () => 'Subscription checked: nothing changes for the member',
  },
  ComplimentaryAccessGranted: {
    lane: 'admin',
    text: ({ tier, until }) => `${tier} granted${until === null ? ' without an end' : ` until ${on(until)}`}`,
  },
  ComplimentaryAccessEnded: {
    lane: 'admin',
    text: ({ cause }) => grantEnds[cause],
  },
};
