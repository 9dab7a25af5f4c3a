import { evolveSealed, type SealedEvent } from '@tapedeck/eventing/core';
import {
  accessAt,
  evolveMembership,
  noMembership,
  type Access,
  type AccessStatus,
  type Membership,
  type MemberSubscription,
} from '@tapedeck/membership/rules';
import type {
  ComplimentaryAccessEnded,
  GraceStarted,
  MembershipEvent,
  MembershipSuspended,
} from '@tapedeck/membership/events';
import { remember } from './remember.ts';

/** What an event says that the membership does not keep. */
type Details = Readonly<{
  graceCause: GraceStarted['data']['cause'] | null;
  suspendedCause: MembershipSuspended['data']['cause'] | null;
  suspendedAt: string | null;
  endedAt: string | null;
}>;

const noDetails: Details = { graceCause: null, suspendedCause: null, suspendedAt: null, endedAt: null };

type GrantEnd = Readonly<{ grantId: string; cause: ComplimentaryAccessEnded['data']['cause']; at: string }>;

/** A membership after its events, with what explains it. */
export type ExplainedMembership = Readonly<{
  membership: Membership;
  details: ReadonlyMap<string, Details>;
  /** Grants that are over, by id. */
  grantEnds: ReadonlyMap<string, GrantEnd>;
}>;

/** A membership event, and when it happened; one that was derived and not recorded has no more. */
export type DatedMembershipEvent = (MembershipEvent | SealedEvent<MembershipEvent>) &
  Readonly<{ metadata: Readonly<{ occurredAt: string }> }>;

const detailsBy = (event: DatedMembershipEvent, occurredAt: string, known: Details): Details => {
  switch (event.type) {
    case 'GraceStarted':
      return { ...known, graceCause: event.data.cause };
    case 'MembershipSuspended':
      return { ...known, suspendedCause: event.data.cause, suspendedAt: occurredAt };
    case 'MembershipEnded':
      return { ...known, endedAt: event.data.endedAt ?? occurredAt };
    case 'MembershipActivated':
    case 'MembershipRenewed':
    case 'MembershipReinstated':
      return noDetails;
    default:
      return known;
  }
};

const evolve = evolveSealed(evolveMembership);

export const explainedMembership = remember(
  (events: readonly DatedMembershipEvent[]): ExplainedMembership => {
    const details = new Map<string, Details>();
    const grantEnds = new Map<string, GrantEnd>();
    const membership = events.reduce<Membership>((state, event) => {
      const { occurredAt } = event.metadata;
      if (event.type === 'ComplimentaryAccessEnded') {
        const { grantId, cause } = event.data;
        const until = state.grants.find((grant) => grant.grantId === grantId)?.until ?? occurredAt;
        grantEnds.set(grantId, { grantId, cause, at: cause === 'expired' ? until : occurredAt });
      } else if ('subscriptionId' in event.data) {
        const { subscriptionId } = event.data;
        details.set(subscriptionId, detailsBy(event, occurredAt, details.get(subscriptionId) ?? noDetails));
      }
      return evolve(state, event);
    }, noMembership);
    return { membership, details, grantEnds };
  },
);

/** Why there is access, or none: all that the sentence says. Times are ISO 8601 UTC. */
export type Answer = Readonly<{
  tier: Access['tier'];
  status: AccessStatus;
  period: Access['period'];
  /** What it rests on: a subscription's or a grant's id; without access the one that has ended last. */
  source: string | null;
  kind: 'subscription' | 'grant' | null;
  until: string | null;
  paidUntil: string | null;
  /** When it ends by the member's wish. */
  endsAt: string | null;
  /** Since when there is no access; null with access, and where there never was any. */
  since: string | null;
  cause: string | null;
}>;

const nothing: Answer = {
  tier: 'Free',
  status: 'none',
  period: null,
  source: null,
  kind: null,
  until: null,
  paidUntil: null,
  endsAt: null,
  since: null,
  cause: null,
};

const earliest = (...times: readonly (string | null)[]): string | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

const withAccess = ({ details }: ExplainedMembership, access: Access): Answer => {
  const { tier, status, period, until, source, subscription } = access;
  const id = source?.kind === 'subscription' ? source.subscriptionId : (source?.grantId ?? null);
  return {
    ...nothing,
    tier,
    status,
    period,
    until,
    source: id,
    kind: source?.kind ?? null,
    paidUntil: subscription?.paidUntil ?? null,
    endsAt: subscription?.endsAt ?? null,
    cause: status === 'grace' ? (details.get(id ?? '')?.graceCause ?? 'silence') : null,
  };
};

const causeOfEnd = (
  subscription: MemberSubscription,
  status: AccessStatus,
  details: Details,
): string | null => {
  if (status === 'ended') return subscription.endReason ?? 'canceled';
  if (status !== 'suspended') return null;
  return details.suspendedCause === 'stripe' ? 'stripe' : (details.graceCause ?? 'silence');
};

const withoutAccess = ({ details }: ExplainedMembership, { status, subscription }: Access): Answer => {
  if (!subscription) return nothing;
  const known = details.get(subscription.subscriptionId) ?? noDetails;
  const { paidUntil, graceUntil, endsAt } = subscription;
  const lapsedAt = earliest(graceUntil, endsAt);
  return {
    ...nothing,
    status,
    source: subscription.subscriptionId,
    kind: 'subscription',
    paidUntil,
    since:
      status === 'pending'
        ? null
        : earliest(known.endedAt, known.suspendedAt, paidUntil === null ? null : lapsedAt),
    cause: causeOfEnd(subscription, status, known),
  };
};

const lastGrantEnd = ({ membership, grantEnds }: ExplainedMembership): GrantEnd | undefined =>
  [
    ...grantEnds.values(),
    // Over, and not recorded as such yet.
    ...membership.grants.flatMap(({ grantId, until }) =>
      until === null ? [] : [{ grantId, cause: 'expired' as const, at: until }],
    ),
  ].reduce<GrantEnd | undefined>((last, end) => (last && last.at >= end.at ? last : end), undefined);

/** Why the member has access at an instant, or has none. */
export const answerAt = (explained: ExplainedMembership, at: string): Answer => {
  const access = accessAt(explained.membership, at);
  if (access.hasAccess) return withAccess(explained, access);
  const answer = withoutAccess(explained, access);
  const grant = lastGrantEnd(explained);
  const isOfGrant = grant && (answer.kind === null || (answer.since !== null && grant.at > answer.since));
  return isOfGrant
    ? { ...nothing, source: grant.grantId, kind: 'grant', since: grant.at, cause: grant.cause }
    : answer;
};
