import type { MailContent } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import type { ClaimProof, ReturnReason } from './subscription-events.ts';
import { dayText, timeText } from './texts.ts';

/** The pages that mails link to. None of them signs anybody in. */
export const mailLinks = (
  siteUrl: string,
): Readonly<Record<'account' | 'pay' | 'plans' | 'claim', Readonly<{ label: string; url: string }>>> => {
  const account = `${siteUrl}/?section=my-account`;
  return {
    account: { label: 'Open My Account', url: account },
    claim: { label: 'Claim your purchase', url: account },
    // It opens the page of the payment provider.
    pay: { label: 'Pay now', url: `${siteUrl}/pay` },
    plans: { label: 'See the plans', url: `${siteUrl}/landing#pricing` },
  };
};

export const nameOf = ({ tier, period }: Plan): string => `Tapedeck ${tier} (${period})`;

const howToClaim =
  'Sign in and open "Claim a purchase" in My Account: we send a code to this address, and with it the purchase is yours. You can sign in with any address.';

const ifUnclaimed = (refundAt: string): string =>
  `If it is not claimed by ${dayText(refundAt)}, we refund the payment.`;

export const claimCodeText = (code: string): MailContent => ({
  kind: 'claim-code',
  subject: `${code} is your code`,
  publicSubject: 'Your code to claim a purchase',
  heading: code,
  paragraphs: ['Enter this code to claim your purchase. It is valid for 30 minutes.'],
  notes: ['If you did not ask for it, ignore this e-mail: nothing happens without the code.'],
});

/** The receipt of a purchase that nobody owns yet. */
export const purchaseText = (
  plan: Plan,
  siteUrl: string,
  refundAt: string,
  facts: MailContent['facts'] = [],
): MailContent => ({
  kind: 'purchase',
  subject: `Your purchase of ${nameOf(plan)}`,
  heading: 'Thank you for your purchase',
  paragraphs: [
    `Your payment for ${nameOf(plan)} has arrived, and the purchase waits for you to claim it.`,
    howToClaim,
  ],
  facts,
  button: mailLinks(siteUrl).claim,
  notes: [ifUnclaimed(refundAt)],
});

export const reminderText = (plan: Plan, siteUrl: string, refundAt: string): MailContent => ({
  kind: 'claim-reminder',
  subject: `Claim your purchase of ${nameOf(plan)}`,
  heading: 'Your purchase waits for you',
  paragraphs: [
    `You have paid for ${nameOf(plan)}, but the purchase belongs to no account yet, so it cannot be used.`,
    howToClaim,
  ],
  button: mailLinks(siteUrl).claim,
  notes: [ifUnclaimed(refundAt)],
});

/** When a bank shows money that goes back. */
export const refundDays = 'Your bank needs five to ten days to show it.';

type Why = Readonly<{ why: string; next?: string; page?: 'account' | 'plans' }>;

/** A withdrawal has a text of its own. */
export type OtherReason = Exclude<ReturnReason, 'withdrawn'>;

const returnTexts: { readonly [Reason in OtherReason]: Why } = {
  'second-purchase': {
    why: 'You have a Tapedeck subscription already, so the one that you have just bought was ended.',
    next: 'You can change your plan in My Account.',
    page: 'account',
  },
  'other-price': {
    why: 'The price that you paid no longer belongs to a plan, so your purchase was ended.',
    next: 'You can choose a plan again.',
    page: 'plans',
  },
  unclaimed: {
    why: 'Your purchase was not claimed in time, so it was ended.',
    next: 'You can choose a plan again.',
    page: 'plans',
  },
  'account-closed': {
    why: 'Your account was deleted before the payment arrived, so the purchase was ended.',
  },
};

/** What goes back of what was paid. */
export type MoneyBack = Readonly<{ amount: string; part: 'all' | 'rest' | 'undisputed' }>;

const partTexts: Readonly<Record<MoneyBack['part'], string>> = {
  all: 'All of the payment',
  rest: 'The rest of the payment',
  undisputed: 'What is not disputed at your bank',
};

const backText = ({ amount, part }: MoneyBack): string =>
  `${partTexts[part]} goes back to your card: ${amount}. ${refundDays}`;

/** When a purchase goes back as a whole, as the payer reads it. */
export const returnText = (reason: OtherReason, siteUrl: string, back: MoneyBack): MailContent => {
  const { why, next, page } = returnTexts[reason];
  return {
    kind: 'purchase-return',
    subject: 'We are refunding your payment',
    heading: 'We are refunding your payment',
    paragraphs: [why, backText(back), ...(next === undefined ? [] : [next])],
    ...(page === undefined ? {} : { button: mailLinks(siteUrl)[page] }),
  };
};

type Withdrawal = Readonly<{
  /** Null for a price that belongs to no plan. */
  plan: Plan | null;
  boughtAt: string;
  receivedAt: string;
  /** Null where nothing does. */
  back: MoneyBack | null;
  isDisputed: boolean;
}>;

/** The acknowledgement that the law demands: what was declared, and when it was received. */
export const withdrawalText = ({
  plan,
  boughtAt,
  receivedAt,
  back,
  isDisputed,
}: Withdrawal): MailContent => ({
  kind: 'withdrawal',
  subject: 'We have received your withdrawal',
  heading: 'We have received your withdrawal',
  paragraphs: [
    `You have withdrawn from the contract for ${plan ? nameOf(plan) : 'your Tapedeck subscription'}, bought on ${dayText(boughtAt)}. We received your withdrawal on ${timeText(receivedAt)}.`,
    ['The subscription has ended.', ...(back === null ? [] : [backText(back)])].join(' '),
    ...(isDisputed ? ['A payment is disputed: your bank decides about it.'] : []),
  ],
  notes: ['Keep this e-mail as proof of your withdrawal.'],
});

const hasPaid =
  'Someone who proved that they paid for your Tapedeck subscription has moved it to another account.';

const takeovers: { readonly [Proof in ClaimProof]: string } = {
  checkout: hasPaid,
  browser: hasPaid,
  mailbox:
    'Someone who proved that they can read e-mail at this address has moved your Tapedeck subscription to another account.',
  support: 'Our support has moved your Tapedeck subscription to another account.',
};

const billingEmail = 'billing@tapedeck.example';

const stillCharged = `Your card is still charged for it: its payments, and the pages where the card can be changed, are in My Account. If you do not want to pay for it any more, write to ${billingEmail}.`;

type Handover = Readonly<{
  proof: ClaimProof;
  /** The reader goes on paying. */
  isStillCharged: boolean;
}>;

/** As whoever had the purchase before reads it. */
export const transferredText = (siteUrl: string, { proof, isStillCharged }: Handover): MailContent => ({
  kind: 'purchase-transferred',
  subject: `Your purchase was ${proof === 'support' ? 'moved to' : 'taken over by'} another account`,
  heading: `Your purchase was ${proof === 'support' ? 'moved' : 'taken over'}`,
  paragraphs: [
    takeovers[proof],
    ...(isStillCharged ? [stillCharged] : []),
    `If ${proof === 'support' ? 'you did not ask for that' : 'that was not you'}, write to ${billingEmail} within 7 days.`,
  ],
  button: mailLinks(siteUrl).account,
});
