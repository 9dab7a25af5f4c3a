import type { Answer } from './answer.ts';
import { dayOf, daysBetween } from './dates.ts';
import type { Links } from './links.ts';
import type { PlanChange, RecordedChange } from './plan-change.ts';
import {
  mainClause,
  ofAccount,
  ofEvent,
  ofStripe,
  partsOf,
  type SentencePart,
  type Words,
} from './sentence-parts.ts';
import { money, planText } from './texts/words.ts';

/** What a sentence is made of. */
export type SentenceFacts = Readonly<{
  answer: Answer;
  links: Links;
  /** The membership's event that has set the paid period, or granted the access. */
  change: RecordedChange | undefined;
  /** The last change of the plan, where the answer rests on it. */
  planChange: PlanChange | undefined;
  /** The membership's event by which it ends, or has ended. */
  end: RecordedChange | undefined;
}>;

const verbs: Readonly<Partial<Record<RecordedChange['type'], string>>> = {
  MembershipActivated: 'activated the membership',
  MembershipRenewed: 'renewed the membership',
  MembershipReinstated: 'restored the membership',
  PaidPeriodCorrected: 'corrected the paid period',
};

const invoiceText = ({ data }: NonNullable<Links['payment']>): Words =>
  ofStripe(`the invoice of ${money(data.amountPaid, data.currency)}`, data.invoiceId);

const paidText = (payment: NonNullable<Links['payment']>): Words =>
  ofEvent(`paid on ${dayOf(payment.data.paidAt)}`, payment);

const planWords = ({ event: { data } }: PlanChange): string =>
  `from ${planText({ tier: data.fromTier, period: data.fromPeriod })} to ${planText(data)}`;

/** What the payment has done: set the period, changed the plan, or both. */
const effectText = ({ change, planChange }: SentenceFacts): Words => {
  const verb = change && verbs[change.type];
  const period: Words = change && verb ? ofEvent(verb, change) : '';
  if (!planChange) return period === '' ? '' : ['; that payment ', period];
  const { event, by } = planChange;
  if (by === 'payment')
    return ['; that payment ', ofEvent(`changed the plan ${planWords(planChange)}`, event)];
  if (period === '') return '';
  return by === 'renewal'
    ? ['; that payment ', period, ' and ', ofEvent(`changed the plan ${planWords(planChange)}`, event)]
    : [
        '; that payment ',
        period,
        ', whose ',
        ofEvent(`plan was changed ${planWords(planChange)}`, event),
        ` on ${dayOf(event.metadata.occurredAt)}`,
      ];
};

/** The plan was changed within the paid period, and nothing was paid for that. */
const unpaidChangeText = (planChange: PlanChange, { payment }: Links): Words => [
  ', because ',
  ofEvent(`the plan was changed ${planWords(planChange)}`, planChange.event),
  ` on ${dayOf(planChange.event.metadata.occurredAt)}`,
  payment ? ['; the time is covered by ', invoiceText(payment), ', ', paidText(payment)] : '',
];

const because = (facts: SentenceFacts): Words => {
  const { links, planChange } = facts;
  if (planChange?.by === 'itself') return unpaidChangeText(planChange, links);
  if (!links.payment) return '';
  const { payment } = links;
  return [', because ', invoiceText(payment), ' was ', paidText(payment), effectText(facts)];
};

const byEnd = (text: string, { end }: SentenceFacts): Words => (end ? ofEvent(text, end) : text);

const ending = (facts: SentenceFacts): Words => {
  const { endsAt } = facts.answer;
  if (endsAt === null) return '';
  return [` It ends on ${dayOf(endsAt)}, because `, byEnd('the member has cancelled it', facts), '.'];
};

const changing = ({ answer: { endsAt }, links: { scheduled } }: SentenceFacts): Words => {
  if (!scheduled || endsAt !== null) return '';
  const { plan, event } = scheduled;
  return [' It ', ofEvent(`changes to ${planText(plan)}`, event), ` on ${dayOf(plan.at)}.`];
};

const activeText = (facts: SentenceFacts): Words => {
  const { tier, paidUntil } = facts.answer;
  const until = paidUntil === null ? '' : ` until ${dayOf(paidUntil)}`;
  return [mainClause(`${tier}${until}`), because(facts), '.', ending(facts), changing(facts)];
};

const failedCard = (failure: NonNullable<Links['failure']>): Words => [
  ofEvent('the card failed', failure),
  ` on ${dayOf(failure.data.failedAt)} for `,
  ofStripe('the invoice', failure.data.invoiceId),
];

const failureText = ({ cause }: Answer, { failure }: Links): Words => {
  if (cause === 'silence') return 'Stripe has said neither that the renewal was paid nor that it has failed';
  return failure ? failedCard(failure) : 'the renewal is unpaid';
};

const graceText = (facts: SentenceFacts): Words => {
  const { answer, links } = facts;
  const { tier, until, paidUntil } = answer;
  const days =
    paidUntil !== null && until !== null
      ? `, ${daysBetween(paidUntil, until)} days after the paid period`
      : '';
  return [
    mainClause(`${tier} until ${until === null ? 'further notice' : dayOf(until)}`),
    `, the end of the grace${days}: `,
    failureText(answer, links),
    '.',
    ending(facts),
  ];
};

const endTexts: Readonly<Record<string, string>> = {
  canceled: 'the subscription was cancelled',
  'account-closed': 'the account was deleted',
  unclaimed: 'the purchase was not claimed and was refunded',
  'other-price': 'the subscription is not for one of our plans',
  withdrawn: 'the member has withdrawn from the contract',
  'second-purchase': 'the account had another subscription already, and this one was given back',
  abandoned: 'the first payment was not completed',
};

const subscriptionText = ({ source }: Answer): Words =>
  source === null ? 'the subscription' : ofStripe('the subscription', source);

const endText = (facts: SentenceFacts): Words => {
  const { answer, links } = facts;
  const { refund, dispute, owner, failure } = links;
  const { cause } = answer;
  if (cause === 'refunded' && refund) {
    const { refundId, refundedAt, amount, currency } = refund.data;
    return [
      ofStripe(`the payment of ${money(amount, currency)}`, refundId),
      ' was ',
      ofEvent(`refunded on ${dayOf(refundedAt)}`, refund),
    ];
  }
  if (cause === 'dispute-lost' && dispute) {
    const { disputeId, closedAt } = dispute.data;
    return [ofStripe('the dispute', disputeId), ' was ', ofEvent(`lost on ${dayOf(closedAt)}`, dispute)];
  }
  if (cause === 'transferred' && owner?.type === 'PaymentTransferred') {
    return [
      subscriptionText(answer),
      ' was ',
      ofEvent('handed over', owner),
      ' to account ',
      ofAccount(owner.data.toAccountId),
    ];
  }
  if (cause === 'unpaid' && failure) return [failedCard(failure), ', and Stripe has ended the subscription'];
  return byEnd(endTexts[cause ?? ''] ?? 'the subscription has ended', facts);
};

const since = ({ since: time }: Answer): Words =>
  mainClause(time === null ? 'No access' : `No access since ${dayOf(time)}`);

const suspendedText = (facts: SentenceFacts): Words => {
  const { answer, links } = facts;
  const { cause, paidUntil, since: end } = answer;
  if (cause === 'stripe') {
    return [since(answer), ': ', byEnd('Stripe has suspended the subscription', facts), ', which is unpaid.'];
  }
  const days = paidUntil === null || end === null ? 'the' : `${daysBetween(paidUntil, end)} days of`;
  return [since(answer), ': ', failureText(answer, links), `, and ${days} grace passed.`];
};

const grantText = ({ answer: { tier, until }, change }: SentenceFacts): Words => {
  const end = until === null ? ' without an end' : ` until ${dayOf(until)}`;
  const granted = 'support granted it';
  const how: Words = change ? ofEvent(`${granted} on ${dayOf(change.metadata.occurredAt)}`, change) : granted;
  return [mainClause(`${tier}${end}`), ', because ', how, '.'];
};

const grantEndTexts: Readonly<Record<string, string>> = {
  expired: 'the access that support had granted has expired',
  revoked: 'support has revoked the access that it had granted',
  paid: 'a subscription has replaced the access that support had granted',
};

const wordsOf = (facts: SentenceFacts): Words => {
  const { answer } = facts;
  switch (answer.status) {
    case 'active':
      return activeText(facts);
    case 'grace':
      return graceText(facts);
    case 'complimentary':
      return grantText(facts);
    case 'suspended':
      return suspendedText(facts);
    case 'ended':
      return [since(answer), ': ', endText(facts), '.'];
    case 'pending':
      return [
        mainClause('No access yet'),
        ': the first payment of ',
        subscriptionText(answer),
        ' is not complete.',
      ];
    case 'none':
      return answer.kind === 'grant'
        ? [
            since(answer),
            ': ',
            byEnd(grantEndTexts[answer.cause ?? ''] ?? 'granted access has ended', facts),
            '.',
          ]
        : [mainClause('No access'), ': nothing was bought, and nothing was granted.'];
    default:
      return answer.status satisfies never;
  }
};

/** One sentence that says why a member has access, or has none. */
export const sentenceOf = (facts: SentenceFacts): readonly SentencePart[] => partsOf(wordsOf(facts));
