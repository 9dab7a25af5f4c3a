import type { Billing } from '@tapedeck/payments/contract';
import { formatDay } from '../../ui/format.ts';
import { planName, type Terms } from './billing-facts.ts';

type Ending = Pick<Terms, 'tier' | 'period' | 'endsAt'>;

export type Cancelled = Readonly<{
  /** The other subscriptions of the account. */
  others: readonly Ending[];
  /** How long access lasts while the renewal is unpaid; null where that is not known. */
  graceUntil: string | null;
}>;

const remainingText = (others: readonly Ending[]): string =>
  others.length === 0
    ? 'After that your account is Free; your favorites and your profile stay.'
    : others
        .map((other) => {
          const then = other.endsAt === null ? 'continues' : `ends on ${formatDay(other.endsAt)}`;
          return `Your subscription to ${planName(other)} ${then}.`;
        })
        .join(' ');

/** Stripe goes on trying the invoice of the present period. */
const unpaidText = ({ tier, nextChargeAt, nextAttemptAt }: Terms, graceUntil: string | null): string =>
  [
    ...(graceUntil === null ? [] : [`You keep ${tier} until ${formatDay(graceUntil)}.`]),
    nextAttemptAt === null
      ? 'The unpaid invoice may still be charged.'
      : `The unpaid invoice may still be charged: we try again on ${formatDay(nextAttemptAt)}.`,
    ...(nextChargeAt === null ? [] : [`Once it is paid, you keep ${tier} until ${formatDay(nextChargeAt)}.`]),
  ].join(' ');

/** What a cancellation means for the access and for what is charged. */
export const cancellationText = (subscription: Terms, { others, graceUntil }: Cancelled): string => {
  const { tier, nextChargeAt, isPeriodPaid } = subscription;
  const until = nextChargeAt === null ? 'the end of the paid period' : formatDay(nextChargeAt);
  const kept = isPeriodPaid
    ? `You keep ${tier} until ${until}, and nothing more is charged for it.`
    : unpaidText(subscription, graceUntil);
  return `${kept} ${remainingText(others)} You can undo this until the subscription ends.`;
};

/** Whether a further subscription renews, ends or waits for a payment. */
export const renewalText = ({
  endsAt,
  isDue,
  isPaidByAnother,
  nextChargeAt,
}: Pick<Terms, 'endsAt' | 'isDue' | 'isPaidByAnother' | 'nextChargeAt'>): string => {
  const renewal = nextChargeAt === null ? 'renews' : `renews on ${formatDay(nextChargeAt)}`;
  return [
    ...(isPaidByAnother ? ['paid by somebody else'] : []),
    ...(isDue ? ['unpaid: the last payment did not go through'] : []),
    ...(endsAt === null ? [] : [`ends on ${formatDay(endsAt)}`]),
    ...(endsAt === null && !isDue ? [renewal] : []),
  ].join(', ');
};

const endText = (plans: readonly Pick<Terms, 'tier' | 'period'>[]): string => {
  const [first] = plans;
  const end =
    first && plans.length === 1
      ? `Your ${first.tier} subscription ends at once`
      : `Your subscriptions to ${new Intl.ListFormat('en-US').format(plans.map(planName))} end at once`;
  return `${end}: access stops and nothing more is charged. What you have paid is not refunded.`;
};

type Owned = Readonly<{
  subscription: Pick<Terms, 'tier' | 'period'> | null;
  others: readonly Pick<Terms, 'tier' | 'period'>[];
  withdrawable: readonly Pick<Billing['withdrawable'][number], 'amount'>[];
}>;

/** What the deletion of an account means for its subscriptions, as paragraphs; undefined: they are not known. */
export const deletionTexts = (billing: Owned | undefined): readonly string[] => {
  if (!billing)
    return [
      'We could not find out whether you have a subscription. If you have one, it ends at once: access stops and nothing more is charged. What you have paid is not refunded.',
    ];
  const { subscription, others, withdrawable } = billing;
  const all = subscription ? [subscription, ...others] : others;
  return [
    ...(all.length === 0 ? [] : [endText(all)]),
    ...(withdrawable.some(({ amount }) => amount > 0)
      ? ['You can still withdraw from the contract: do that first, and the payment goes back.']
      : []),
  ];
};
