import type { Answer } from './answer.ts';
import { dayOf, daysBetween } from './dates.ts';
import type { RecordedMembershipEvent } from './history.ts';
import type { Links } from './links.ts';

/** What a sentence is made of. */
export type SentenceParts = Readonly<{
  answer: Answer;
  links: Links;
  /** The event of Stripe behind the payment or failure. */
  stripeEventId: string | null;
  /** The membership's event that has set the paid period, or granted the access. */
  change: RecordedMembershipEvent | undefined;
}>;

const verbs: Readonly<Partial<Record<RecordedMembershipEvent['type'], string>>> = {
  MembershipActivated: 'activated',
  MembershipRenewed: 'renewed',
  MembershipReinstated: 'restored',
  PaidPeriodCorrected: 'corrected',
};

const whichChanged = ({ change }: SentenceParts): string => {
  const verb = change && verbs[change.type];
  return verb ? `, which ${verb} the membership (event ${change.version})` : '';
};

const because = (parts: SentenceParts): string => {
  const { links, stripeEventId } = parts;
  if (!links.payment) return '';
  const { invoiceId, paidAt } = links.payment.data;
  const source = stripeEventId === null ? dayOf(paidAt) : `${stripeEventId}, ${dayOf(paidAt)}`;
  return `, because invoice ${invoiceId} was paid (${source})${whichChanged(parts)}`;
};

const ending = ({ answer: { endsAt } }: SentenceParts): string =>
  endsAt === null ? '' : ` It ends on ${dayOf(endsAt)}, because the member has cancelled it.`;

const activeText = (parts: SentenceParts): string => {
  const { tier, paidUntil } = parts.answer;
  const until = paidUntil === null ? '' : ` until ${dayOf(paidUntil)}`;
  return `${tier}${until}${because(parts)}.${ending(parts)}`;
};

const failureText = ({ cause }: Answer, { failure }: Links): string => {
  if (cause === 'silence') return 'Stripe has said neither that the renewal was paid nor that it has failed';
  if (!failure) return 'the renewal is unpaid';
  const { invoiceId, failedAt } = failure.data;
  return `the card failed on ${dayOf(failedAt)} (${invoiceId})`;
};

const graceText = (parts: SentenceParts): string => {
  const { answer, links } = parts;
  const { tier, until, paidUntil } = answer;
  const days =
    paidUntil !== null && until !== null
      ? `, ${daysBetween(paidUntil, until)} days after the paid period`
      : '';
  return `${tier} until ${until === null ? 'further notice' : dayOf(until)}, the end of the grace${days}: ${failureText(answer, links)}.${ending(parts)}`;
};

const endTexts: Readonly<Record<string, string>> = {
  canceled: 'the subscription was cancelled',
  'account-closed': 'the account was deleted',
  unclaimed: 'the purchase was not claimed and was refunded',
  'other-price': 'the subscription is not for one of our plans',
  abandoned: 'the first payment was not completed',
};

const endText = ({ cause, source }: Answer, { refund, dispute, owner, failure }: Links): string => {
  if (cause === 'refunded' && refund) {
    const { refundId, refundedAt } = refund.data;
    return `the payment was refunded on ${dayOf(refundedAt)} (${refundId})`;
  }
  if (cause === 'dispute-lost' && dispute) {
    const { disputeId, closedAt } = dispute.data;
    return `the dispute ${disputeId} was lost on ${dayOf(closedAt)}`;
  }
  if (cause === 'transferred' && owner?.type === 'PaymentTransferred') {
    return `${source ?? 'the subscription'} was handed over to account ${owner.data.toAccountId}`;
  }
  if (cause === 'unpaid' && failure) {
    return `the card failed on ${dayOf(failure.data.failedAt)} (${failure.data.invoiceId}), and Stripe has ended the subscription`;
  }
  return endTexts[cause ?? ''] ?? 'the subscription has ended';
};

const since = ({ since: time }: Answer): string =>
  time === null ? 'No access' : `No access since ${dayOf(time)}`;

const suspendedText = ({ answer, links }: SentenceParts): string => {
  const { cause, paidUntil, since: end } = answer;
  if (cause === 'stripe') return `${since(answer)}: Stripe has suspended the subscription, which is unpaid.`;
  const days = paidUntil === null || end === null ? 'the' : `${daysBetween(paidUntil, end)} days of`;
  return `${since(answer)}: ${failureText(answer, links)}, and ${days} grace passed.`;
};

const grantText = ({ answer: { tier, until }, change }: SentenceParts): string => {
  const end = until === null ? ' without an end' : ` until ${dayOf(until)}`;
  const on = change ? ` on ${dayOf(change.metadata.occurredAt)} (event ${change.version})` : '';
  return `${tier}${end}, because support granted it${on}.`;
};

const grantEndTexts: Readonly<Record<string, string>> = {
  expired: 'the access that support had granted has expired',
  revoked: 'support has revoked the access that it had granted',
  paid: 'a subscription has replaced the access that support had granted',
};

/** One sentence that says why a member has access, or has none. */
export const sentenceOf = (parts: SentenceParts): string => {
  const { answer, links } = parts;
  switch (answer.status) {
    case 'active':
      return activeText(parts);
    case 'grace':
      return graceText(parts);
    case 'complimentary':
      return grantText(parts);
    case 'suspended':
      return suspendedText(parts);
    case 'ended':
      return `${since(answer)}: ${endText(answer, links)}.`;
    case 'pending':
      return `No access yet: the first payment of ${answer.source ?? 'the subscription'} is not complete.`;
    case 'none':
      return answer.kind === 'grant'
        ? `${since(answer)}: ${grantEndTexts[answer.cause ?? ''] ?? 'granted access has ended'}.`
        : 'No access: nothing was bought, and nothing was granted.';
    default:
      return answer.status satisfies never;
  }
};
