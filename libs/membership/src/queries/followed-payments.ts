import { waitForPosition } from '@tapedeck/eventing/projections';
import type { EventStore } from '@tapedeck/eventing';
import type { Databases } from '@tapedeck/platform/databases';
import { memberships } from '../projections/memberships.ts';

/** The reaction that brings a membership to what its subscriptions entitle it to. */
export const followsPayments = 'membership-follows-payments';

/** For `@ReadsFrom`: a membership that has followed the payments up to a position. */
export const followedPayments = 'membership-after-payments';

/**
 * Waits until the membership contains what the payments up to a position mean for it: the reaction writes after them, so
 * the read model must reach what it has written. Then a change of the subscription and the tier say the same.
 */
export const waitForFollowedPayments =
  ({ tapedeck }: Databases, store: Pick<EventStore, 'head'>) =>
  async (position: bigint, timeoutMs: number): Promise<boolean> => {
    const startedAt = performance.now();
    if (!(await waitForPosition(tapedeck, followsPayments, position, timeoutMs))) return false;
    const leftMs = timeoutMs - (performance.now() - startedAt);
    return waitForPosition(tapedeck, memberships.name, await store.head(), Math.max(0, leftMs));
  };
