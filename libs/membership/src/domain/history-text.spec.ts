import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import type { Entitlement } from '@tapedeck/payments/events';
import { day, follow } from '../testing/entitlements.ts';
import { membershipDecider } from './decide.ts';
import { historyText } from './history-text.ts';
import type { MembershipEvent } from './membership.ts';

/** The lines about entitlements that follow each other. */
const linesAfter = (...entitlements: readonly Partial<Entitlement>[]): readonly (string | null)[] => {
  const events = entitlements.reduce<readonly MembershipEvent[]>(
    (before, entitlement, index) => [
      ...before,
      ...membershipDecider.decide(
        follow(entitlement, day('02-03'), index + 1),
        stateAfter(membershipDecider, before),
      ),
    ],
    [],
  );
  return events.map((event, index) =>
    historyText(event, stateAfter(membershipDecider, events.slice(0, index + 1))),
  );
};

const pastDue = { phase: 'past-due', pastDueSince: day('02-01') } as const;

describe('the line of a cancellation', () => {
  it('says that access ends with what is paid', () => {
    expect(linesAfter({}, { endsAt: day('02-01') })).toContain('Cancelled: access ends on Feb 1, 2026');
  });

  it('says no later end than that of the grace while the renewal is unpaid', () => {
    expect(linesAfter({}, pastDue, { ...pastDue, endsAt: day('03-01') }).at(-1)).toBe(
      'Cancelled: access ends on Feb 15, 2026',
    );
  });

  it('says when the subscription ends where a period before that is neither paid nor overdue', () => {
    expect(linesAfter({}, { endsAt: day('03-01') }).at(-1)).toBe(
      'Cancelled: the subscription ends on Mar 1, 2026',
    );
  });
});
