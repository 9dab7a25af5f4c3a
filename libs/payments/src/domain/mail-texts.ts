import type { Plan } from '@tapedeck/plans/contract';
import type { ReturnReason } from './subscription-events.ts';
import { dayText, timeText } from './texts.ts';

export type MailText = Readonly<{ subject: string; text: string }>;

const mail = (subject: string, ...paragraphs: readonly string[]): MailText => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n\nTapedeck\n`,
});

const nameOf = ({ tier, period }: Plan): string => `Tapedeck ${tier} (${period})`;

const howToClaim = (siteUrl: string): string =>
  `Sign in at ${siteUrl}/api/login and open My Account, "Claim a purchase": we send a code to this address, and with it the purchase is yours. You can sign in with any address.`;

export const claimCodeText = (code: string): MailText =>
  mail(
    `${code} is your code`,
    `Enter the code ${code} to claim your purchase. It is valid for 30 minutes.`,
    'If you have not asked for it, ignore this mail: nothing happens without the code.',
  );

export const purchaseText = (plan: Plan, siteUrl: string, refundAt: string): MailText =>
  mail(
    `Your purchase of ${nameOf(plan)}`,
    `Thank you. Your payment for ${nameOf(plan)} has arrived, and the purchase waits for you to claim it.`,
    howToClaim(siteUrl),
    `If it is not claimed by ${dayText(refundAt)}, we give back the money.`,
  );

export const reminderText = (plan: Plan, siteUrl: string, refundAt: string): MailText =>
  mail(
    `Claim your purchase of ${nameOf(plan)}`,
    `You have paid for ${nameOf(plan)}, but the purchase belongs to no account yet, so it cannot be used.`,
    howToClaim(siteUrl),
    `If it is not claimed by ${dayText(refundAt)}, we give back the money.`,
  );

export const paymentFailedText = (siteUrl: string, nextAttemptAt: string | null): MailText =>
  mail(
    'Your payment has failed',
    'The renewal of your Tapedeck subscription could not be charged. You keep your access for some days.',
    nextAttemptAt === null
      ? `Please check your card at ${siteUrl}/?section=my-account.`
      : `Please check your card at ${siteUrl}/?section=my-account. We try again on ${dayText(nextAttemptAt)}.`,
  );

/** A withdrawal has a text of its own. */
export type OtherReason = Exclude<ReturnReason, 'withdrawn'>;

const refundDays = 'Your bank needs five to ten days to show it.';

const returnTexts: { readonly [Reason in OtherReason]: (siteUrl: string) => readonly string[] } = {
  'second-purchase': (siteUrl) => [
    'You have a Tapedeck subscription already, so the one that you have just bought was ended.',
    `To change your plan, open ${siteUrl}/?section=my-account.`,
  ],
  'other-price': (siteUrl) => [
    'The price that you have paid is not that of a plan any more, so your purchase was ended.',
    `You can choose a plan again at ${siteUrl}/#pricing.`,
  ],
  unclaimed: (siteUrl) => [
    'Your purchase was not claimed in time, so it was ended.',
    `You can choose a plan again at ${siteUrl}/#pricing.`,
  ],
  'account-closed': () => ['Your account was deleted before the payment arrived, so the purchase was ended.'],
};

/** When a purchase goes back as a whole: all that was paid, as the payer reads it. */
export const returnText = (reason: OtherReason, siteUrl: string, amount: string): MailText => {
  const [why = '', ...next] = returnTexts[reason](siteUrl);
  return mail(
    'We give back your payment',
    `${why} All of the payment goes back to your card: ${amount}. ${refundDays}`,
    ...next,
  );
};

type Withdrawal = Readonly<{
  /** Null for a price that belongs to no plan. */
  plan: Plan | null;
  boughtAt: string;
  receivedAt: string;
  /** All that was paid; null where nothing was. */
  amount: string | null;
}>;

/** The acknowledgement that the law demands: what was declared, and when it was received. */
export const withdrawalText = ({ plan, boughtAt, receivedAt, amount }: Withdrawal): MailText =>
  mail(
    'We have received your withdrawal',
    `You have withdrawn from the contract for ${plan ? nameOf(plan) : 'your Tapedeck subscription'}, bought on ${dayText(boughtAt)}. We received your withdrawal on ${timeText(receivedAt)}.`,
    `The subscription has ended.${amount === null ? '' : ` All of the payment goes back to your card: ${amount}. ${refundDays}`}`,
    'Keep this mail as the proof of your withdrawal.',
  );

export const transferredText = (siteUrl: string): MailText =>
  mail(
    'Your purchase was taken over by another account',
    'Somebody who has proved to read mail at this address has moved your Tapedeck subscription to another account.',
    `If that was not you, write to billing@tapedeck.example within 7 days: ${siteUrl}.`,
  );
