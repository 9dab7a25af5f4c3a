import type { MailContent } from '@tapedeck/kernel';
import { accessUntil } from './access.ts';
import { on } from './history-text.ts';
import type {
  CancellationScheduled,
  CancellationWithdrawn,
  ComplimentaryAccessEnded,
  GraceReminderDue,
  Membership,
  MembershipEnded,
  MembershipSuspended,
  MemberSubscription,
  Phase,
} from './membership.ts';

type Reason = MembershipEnded['data']['reason'];
type Links = Readonly<Record<'account' | 'pay' | 'plans', NonNullable<MailContent['button']>>>;

const linksOf = (siteUrl: string): Links => ({
  account: { label: 'Open My Account', url: `${siteUrl}/?section=my-account` },
  // It opens the page of the payment provider.
  pay: { label: 'Pay now', url: `${siteUrl}/pay` },
  plans: { label: 'See the plans', url: `${siteUrl}/landing#pricing` },
});

const endings: Readonly<Partial<Record<Reason, string>>> = {
  refunded: 'Your payment was refunded, and your subscription has ended.',
  'dispute-lost': 'Your payment was charged back, and your subscription has ended.',
  unpaid: 'Your subscription has ended because the renewal could not be charged.',
};

const kept = 'Your favorites and your profile are still there.';

const endedText = (reason: Reason, { plans }: Links): MailContent => ({
  kind: 'subscription-ended',
  subject: 'Your subscription has ended',
  heading: 'Your subscription has ended',
  paragraphs: [
    endings[reason] ?? 'Your Tapedeck subscription has ended: nothing more will be charged.',
    `${kept} You can subscribe again at any time.`,
  ],
  button: plans,
});

const suspendedText = ({ pay }: Links): MailContent => ({
  kind: 'access-ended',
  subject: 'Your access has ended',
  heading: 'Your access has ended',
  paragraphs: [
    'The renewal of your Tapedeck subscription was not paid, and the time to pay it is over.',
    `Pay it now, and you have access again at once. ${kept}`,
  ],
  button: pay,
});

const grantEndedText = (tier: string, until: string | null, { plans }: Links): MailContent => ({
  kind: 'complimentary-access-ended',
  subject: `Your complimentary ${tier} access has ended`,
  heading: 'Your complimentary access has ended',
  paragraphs: [
    `You had complimentary access to Tapedeck ${tier}${until === null ? '' : ` until ${on(until)}`}.`,
    kept,
  ],
  button: plans,
});

type Cancelled = Readonly<{ endsAt: string; accessUntil: string; isPaid: boolean }>;

/** What is unpaid may still be charged. */
const cancelledText = (
  { endsAt, accessUntil: until, isPaid }: Cancelled,
  { account }: Links,
): MailContent => ({
  kind: 'cancellation',
  subject: `Your subscription ends on ${on(endsAt)}`,
  heading: 'Your subscription is cancelled',
  paragraphs: [
    `You keep your access until ${on(until)}.${isPaid ? ' Nothing more will be charged.' : ''}`,
    'You can undo the cancellation in My Account until then.',
  ],
  button: account,
});

const resumedText = (paidUntil: string, { account }: Links): MailContent => ({
  kind: 'cancellation-withdrawn',
  subject: 'Your subscription continues',
  heading: 'Your subscription continues',
  paragraphs: [`The cancellation was undone. Your subscription renews on ${on(paidUntil)}.`],
  button: account,
});

const graceText = ({ which, until }: GraceReminderDue['data'], { pay }: Links): MailContent => ({
  kind: 'grace-reminder',
  subject: `${which === 'last' ? 'Last reminder: your' : 'Your'} access ends on ${on(until)}`,
  heading: which === 'last' ? 'Last reminder of your unpaid renewal' : 'Your renewal is still unpaid',
  paragraphs: [
    `The renewal of your Tapedeck subscription is not paid. Your access ends on ${on(until)}.`,
    'Pay it now with any card, and nothing changes for you.',
  ],
  button: pay,
});

/** The acknowledgement of a withdrawal says it, too. */
const untoldReasons: readonly Reason[] = ['transferred', 'abandoned', 'account-closed', 'withdrawn'];
/** After our own deadline these say nothing new. */
const expectedReasons: readonly Reason[] = ['canceled', 'unpaid'];

const isNewEnd = (reason: Reason, before: Phase | undefined): boolean => {
  if (untoldReasons.includes(reason)) return false;
  if (before === 'suspended') return !expectedReasons.includes(reason);
  return before === 'active' || before === 'grace';
};

/** The events after which a member may have less than before. */
export type AccessLost = MembershipSuspended | MembershipEnded | ComplimentaryAccessEnded;

const subscriptionIn = (
  { subscriptions }: Membership,
  subscriptionId: string,
): MemberSubscription | undefined => subscriptions.find((known) => known.subscriptionId === subscriptionId);

/**
 * The mail that an event causes, with the membership as it was just before it; undefined without one. There
 * is one mail about an end, whether our own deadline or Stripe's event came first.
 */
export const lossText = (event: AccessLost, before: Membership, siteUrl: string): MailContent | undefined => {
  const links = linksOf(siteUrl);
  if (event.type === 'ComplimentaryAccessEnded') {
    const grant = before.grants.find(({ grantId }) => grantId === event.data.grantId);
    return grant && event.data.cause === 'expired'
      ? grantEndedText(grant.tier, grant.until, links)
      : undefined;
  }
  const phase = subscriptionIn(before, event.data.subscriptionId)?.phase;
  if (event.type === 'MembershipSuspended')
    return phase === 'active' || phase === 'grace' ? suspendedText(links) : undefined;
  return isNewEnd(event.data.reason, phase) ? endedText(event.data.reason, links) : undefined;
};

/** The events that say what will happen. */
export type AccessAhead = CancellationScheduled | CancellationWithdrawn | GraceReminderDue;

/**
 * The mail that announces what will happen, with the membership as it is when the mail is sent: undefined where it has changed
 * meanwhile. A reminder that is late is left to the last one.
 */
export const aheadText = (
  event: AccessAhead,
  membership: Membership,
  { now, siteUrl }: Readonly<{ now: string; siteUrl: string }>,
): MailContent | undefined => {
  const known = subscriptionIn(membership, event.data.subscriptionId);
  if (!known || known.phase === 'suspended' || known.phase === 'ended') return undefined;
  const links = linksOf(siteUrl);
  switch (event.type) {
    case 'CancellationScheduled': {
      const { endsAt } = event.data;
      if (known.endsAt !== endsAt || endsAt <= now) return undefined;
      const isPaid = known.paidUntil !== null && endsAt <= known.paidUntil;
      return cancelledText({ endsAt, accessUntil: accessUntil(known) ?? endsAt, isPaid }, links);
    }
    case 'CancellationWithdrawn':
      return known.endsAt === null && event.data.paidUntil > now
        ? resumedText(event.data.paidUntil, links)
        : undefined;
    case 'GraceReminderDue': {
      const { until, which, lastAt } = event.data;
      const isLate = until <= now || (which === 'middle' && lastAt <= now);
      const isOpen = known.phase === 'grace' && known.endsAt === null && known.graceUntil === until;
      return isOpen && !isLate ? graceText(event.data, links) : undefined;
    }
    default:
      return event satisfies never;
  }
};
