import { accessUntil } from './access.ts';
import type { CancellationScheduled, Membership, MembershipEnded, MembershipEvent } from './membership.ts';

const dates = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Such as `Mar 3, 2027`: the day in UTC. */
export const on = (time: string): string => dates.format(new Date(time));

const endTexts: Readonly<Record<MembershipEnded['data']['reason'], string>> = {
  canceled: 'The subscription has ended',
  refunded: 'The payment was refunded: access has ended',
  'dispute-lost': 'The payment was charged back: access has ended',
  unpaid: 'The subscription has ended because it was not paid',
  unclaimed: 'The purchase was refunded because it was not claimed',
  'account-closed': 'The subscription has ended with the account',
  transferred: 'The subscription was handed over to another account',
  'other-price': 'The subscription is not for one of our plans: it gives no access',
  withdrawn: 'You have withdrawn from the contract: the subscription has ended, and its payment goes back',
  'second-purchase': 'You had a subscription already: this one was ended, and its payment goes back',
  abandoned: 'The first payment was not completed',
};

const grantText = (tier: string, until: string | null): string =>
  until === null ? `${tier} granted by support` : `${tier} granted by support until ${on(until)}`;

/** Access lasts as long as the subscription only if that is paid: otherwise until the end of the grace. */
const cancelledText = (
  { subscriptionId, endsAt, paidUntil }: CancellationScheduled['data'],
  { subscriptions }: Membership,
): string => {
  const known = subscriptions.find((one) => one.subscriptionId === subscriptionId);
  const inGrace = known?.phase === 'grace' ? accessUntil(known) : undefined;
  const until = endsAt <= paidUntil ? endsAt : inGrace;
  return until === undefined
    ? `Cancelled: the subscription ends on ${on(endsAt)}`
    : `Cancelled: access ends on ${on(until)}`;
};

/** What an event means to the member, with the membership as it was just after it; null for one that means nothing. */
export const historyText = (event: MembershipEvent, after: Membership): string | null => {
  switch (event.type) {
    case 'MembershipOpened':
      return null;
    case 'MembershipActivated':
      return `${event.data.tier} (${event.data.period}) started, paid until ${on(event.data.paidUntil)}`;
    case 'MembershipRenewed':
      return `Renewed until ${on(event.data.paidUntil)}`;
    case 'PaidPeriodCorrected':
      return `Paid period changed: until ${on(event.data.paidUntil)}`;
    case 'MembershipReinstated':
      return `Access restored, paid until ${on(event.data.paidUntil)}`;
    case 'TierChanged': {
      const { fromTier, fromPeriod, tier, period } = event.data;
      return `Changed from ${fromTier} (${fromPeriod}) to ${tier} (${period})`;
    }
    case 'CancellationScheduled':
      return cancelledText(event.data, after);
    case 'CancellationWithdrawn':
      return 'Cancellation undone: the subscription renews';
    case 'GraceStarted':
      return event.data.cause === 'payment-failed'
        ? `A payment failed: access continues until ${on(event.data.until)}`
        : `The renewal is not confirmed: access continues until ${on(event.data.until)}`;
    case 'MembershipSuspended':
      return 'Access paused until the renewal is paid';
    case 'MembershipEnded':
      return endTexts[event.data.reason];
    case 'GraceReminderDue':
    case 'EntitlementNoted':
      return null;
    case 'ComplimentaryAccessGranted':
      return grantText(event.data.tier, event.data.until);
    case 'ComplimentaryAccessEnded':
      return event.data.cause === 'paid'
        ? 'Granted access has ended: your subscription includes it'
        : 'Granted access has ended';
    default:
      return event satisfies never;
  }
};
