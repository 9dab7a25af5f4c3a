import { evolveSealed } from '@tapedeck/eventing/core';
import {
  accessAt,
  evolveMembership,
  noMembership,
  type AccessStatus,
  type Membership,
} from '@tapedeck/membership/rules';
import { membershipEventsOf, type MemberHistory } from './history.ts';
import { remember } from './remember.ts';

/** A time of access with one tier and status. `to` is null where no end is known. */
export type Band = Readonly<{ from: string; to: string | null; tier: string; status: AccessStatus }>;

const evolve = evolveSealed(evolveMembership);

/** Instants at which the access changes without an event, in order. */
const deadlinesOf = ({ subscriptions, grants }: Membership, after: string): readonly string[] =>
  [
    ...subscriptions.flatMap(({ paidUntil, graceUntil, endsAt }) => [paidUntil, graceUntil, endsAt]),
    ...grants.map(({ until }) => until),
  ]
    .filter((time) => time !== null && time > after)
    .map(String)
    .sort();

type Step = Readonly<{ at: string; membership: Membership }>;

/** The membership after the events of each instant. */
const stepsOf = (history: MemberHistory): readonly Step[] => {
  const steps: Step[] = [];
  let membership = noMembership;
  let at = '';
  for (const event of membershipEventsOf(history.events)) {
    const { occurredAt } = event.metadata;
    // Known later is true later: what was recorded before stays before.
    at = occurredAt > at ? occurredAt : at;
    membership = evolve(membership, event);
    if (steps.at(-1)?.at === at) steps.pop();
    steps.push({ at, membership });
  }
  return steps;
};

type Point = Readonly<{ at: string; tier: string; status: AccessStatus; hasAccess: boolean }>;

const pointAt = (membership: Membership, at: string): Point => {
  const { tier, status, hasAccess } = accessAt(membership, at);
  return { at, tier, status, hasAccess };
};

const isSame = (one: Point, other: Point): boolean =>
  one.tier === other.tier && one.status === other.status && one.hasAccess === other.hasAccess;

const iso = (time: number): string => new Date(time).toISOString();

/** The instant between two at which the access becomes another one: a renewal counts as active for some time, say. */
const changeBetween = (membership: Membership, from: Point, to: string): readonly Point[] => {
  let low = Date.parse(from.at);
  let high = Date.parse(to) - 1;
  if (isSame(from, pointAt(membership, iso(high)))) return [];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSame(from, pointAt(membership, iso(middle)))) low = middle;
    else high = middle;
  }
  return [pointAt(membership, iso(high))];
};

const pointsOf = ({ at, membership }: Step, next: string | undefined): readonly Point[] => {
  const deadlines = deadlinesOf(membership, at).filter((time) => next === undefined || time < next);
  const times = [at, ...deadlines];
  return times.flatMap((time, index) => {
    const point = pointAt(membership, time);
    const end = times[index + 1] ?? next;
    return end === undefined ? [point] : [point, ...changeBetween(membership, point, end)];
  });
};

/** The access of a member over time, by what was recorded: each tier from when to when, and how it stood. */
export const bandsOf = remember((history: MemberHistory): readonly Band[] => {
  const steps = stepsOf(history);
  const points = steps
    .flatMap((step, index) => pointsOf(step, steps[index + 1]?.at))
    .filter((point, index, all) => {
      const before = all[index - 1];
      return !before || !isSame(before, point);
    });
  return points.flatMap(({ at, tier, status, hasAccess }, index) => {
    const to = points[index + 1]?.at ?? null;
    const isShown = hasAccess || status === 'suspended';
    return isShown ? [{ from: at, to, tier, status }] : [];
  });
});
