import { on } from './history-text.ts';
import type {
  ComplimentaryAccessEnded,
  Membership,
  MembershipEnded,
  MembershipSuspended,
  Phase,
} from './membership.ts';

export type MailText = Readonly<{ subject: string; text: string }>;
type Reason = MembershipEnded['data']['reason'];

const mail = (subject: string, ...paragraphs: readonly string[]): MailText => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n\nTapedeck\n`,
});

const endings: Readonly<Partial<Record<Reason, string>>> = {
  refunded: 'Your payment was refunded, and your subscription has ended.',
  'dispute-lost': 'Your payment was charged back, and your subscription has ended.',
  unpaid: 'Your subscription has ended because the renewal could not be charged.',
  'account-closed':
    'Your account was deleted, and your subscription has ended: nothing more will be charged.',
};

const endedText = (reason: Reason, siteUrl: string): MailText =>
  mail(
    'Your subscription has ended',
    endings[reason] ?? 'Your Tapedeck subscription has ended: nothing more will be charged.',
    `You can subscribe again at any time: ${siteUrl}/#pricing.`,
  );

const suspendedText = (siteUrl: string): MailText =>
  mail(
    'Your access has ended',
    'The renewal of your Tapedeck subscription was not paid, and the time that you had to pay it is over.',
    `Pay it at ${siteUrl}/?section=my-account, and you have access again at once. Your favorites and your profile are still there.`,
  );

const grantEndedText = (tier: string, until: string | null, siteUrl: string): MailText =>
  mail(
    `Your complimentary ${tier} access has ended`,
    `You had complimentary access to Tapedeck ${tier}${until === null ? '' : ` until ${on(until)}`}.`,
    `Your favorites and your profile are still there. The plans: ${siteUrl}/#pricing.`,
  );

/** The acknowledgement of a withdrawal says it. */
const untoldReasons: readonly Reason[] = ['transferred', 'abandoned', 'withdrawn'];
/** After our own deadline these say nothing new. */
const expectedReasons: readonly Reason[] = ['canceled', 'unpaid'];

const isNewEnd = (reason: Reason, before: Phase | undefined): boolean => {
  if (untoldReasons.includes(reason)) return false;
  if (before === 'suspended') return !expectedReasons.includes(reason);
  return before === 'active' || before === 'grace';
};

/** The events after which a member may have less than before. */
export type AccessLost = MembershipSuspended | MembershipEnded | ComplimentaryAccessEnded;

/**
 * The mail that an event causes, with the membership as it was just before it; undefined without one. There
 * is one mail about an end, whether our own deadline or Stripe's event came first.
 */
export const lossText = (event: AccessLost, before: Membership, siteUrl: string): MailText | undefined => {
  if (event.type === 'ComplimentaryAccessEnded') {
    const grant = before.grants.find(({ grantId }) => grantId === event.data.grantId);
    return grant && event.data.cause === 'expired'
      ? grantEndedText(grant.tier, grant.until, siteUrl)
      : undefined;
  }
  const { subscriptionId } = event.data;
  const phase = before.subscriptions.find((known) => known.subscriptionId === subscriptionId)?.phase;
  if (event.type === 'MembershipSuspended')
    return phase === 'active' || phase === 'grace' ? suspendedText(siteUrl) : undefined;
  return isNewEnd(event.data.reason, phase) ? endedText(event.data.reason, siteUrl) : undefined;
};
