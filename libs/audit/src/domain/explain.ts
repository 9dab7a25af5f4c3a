import type { Sealed } from '@tapedeck/eventing/core';
import { answerAt, explainedMembership, type Answer } from './answer.ts';
import {
  eventsUntil,
  membershipEventsOf,
  type MemberEvent,
  type MemberHistory,
  type RecordedMembershipEvent,
  type RecordedSubscriptionEvent,
} from './history.ts';
import { linksOf, stripeEventBehind, subscriptionEventsUntil, type Links } from './links.ts';
import { planChangeIn } from './plan-change.ts';
import type { SentencePart } from './sentence-parts.ts';
import { sentenceOf } from './sentence.ts';

export type Explanation = Readonly<{
  sentence: readonly SentencePart[];
  answer: Answer;
  /** What it rests on, in order of the tape. */
  chain: readonly MemberEvent[];
  /** Why support has granted or revoked the access, in their own words. */
  quote: Sealed<string | null> | null;
}>;

type Candidate = RecordedMembershipEvent;

/** Events that may have decided: the last one of each type of the answer's subscription or grant, and its beginning. */
const candidatesOf = (events: readonly Candidate[], { source, kind }: Answer): readonly Candidate[] => {
  const about = events.filter(({ data }) =>
    kind === 'grant'
      ? 'grantId' in data && data.grantId === source
      : 'subscriptionId' in data && data.subscriptionId === source,
  );
  const lasts = new Map(about.map((event) => [event.type, event]));
  return [...lasts.values()].filter(({ type }) => type !== 'EntitlementNoted');
};

const isSame = (one: Answer, other: Answer): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether the history without the event gives another answer. */
const matters = (events: readonly Candidate[], event: Candidate, answer: Answer, at: string): boolean =>
  !isSame(answerAt(explainedMembership(events.filter((one) => one !== event)), at), answer);

const periodChanges: readonly string[] = [
  'MembershipActivated',
  'MembershipRenewed',
  'MembershipReinstated',
  'PaidPeriodCorrected',
  'ComplimentaryAccessGranted',
];

const endings: readonly string[] = [
  'CancellationScheduled',
  'MembershipSuspended',
  'MembershipEnded',
  'ComplimentaryAccessEnded',
];

const quoteOf = (chain: readonly Candidate[]): Explanation['quote'] => {
  const event = chain.findLast(
    (one) => one.type === 'ComplimentaryAccessGranted' || one.type === 'ComplimentaryAccessEnded',
  );
  return event?.data.reason ?? null;
};

const eventsIn = ({
  payment,
  failure,
  refund,
  dispute,
  owner,
}: Links): readonly RecordedSubscriptionEvent[] =>
  [owner, payment, failure, refund, dispute].filter((event) => event !== undefined);

const inOrder = (events: readonly MemberEvent[]): readonly MemberEvent[] =>
  [...new Set(events)].sort((a, b) => (a.position < b.position ? -1 : 1));

/** The chain of payments with the events of Stripe behind them, each once and in order of the tape. */
export const withCauses = (history: MemberHistory, links: Links): readonly MemberEvent[] =>
  inOrder(
    eventsIn(links).flatMap((event) => {
      const cause = stripeEventBehind(history, event);
      return cause ? [cause, event] : [event];
    }),
  );

/**
 * Why the member had access at an instant, or had none, by what was recorded then. The membership's events in the chain
 * are those without which the answer would be another one.
 */
export const explainAt = (history: MemberHistory, at: string): Explanation => {
  const events = membershipEventsOf(eventsUntil(history, at));
  const answer = answerAt(explainedMembership(events), at);
  const decisive = candidatesOf(events, answer).filter((event) => matters(events, event, answer, at));
  const ofSubscription =
    answer.kind === 'subscription' && answer.source !== null
      ? subscriptionEventsUntil(history, at, answer.source)
      : [];
  const links = linksOf(history, ofSubscription, answer);
  const change = decisive.findLast(({ type }) => periodChanges.includes(type));
  const planChange = planChangeIn(decisive, change, links.payment);
  const end = decisive.findLast(({ type }) => endings.includes(type));
  return {
    sentence: sentenceOf({ answer, links, change, planChange, end }),
    answer,
    chain: inOrder([...withCauses(history, links), ...decisive]),
    quote: quoteOf(decisive),
  };
};
