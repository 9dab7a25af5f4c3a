import type { AccountId } from '@tapedeck/kernel';
import type { Entitlement } from '../domain/subscription-events.ts';

/** What a member may use, in the words of the membership; `until` is null without access and without an end. */
export type MemberAccess = Readonly<{ tier: string; status: string; until: string | null }>;

/**
 * What an account may use at an instant, and what it could use if some of its purchases entitled it to something else.
 * Provided by the membership module for `ACCESS_AFTER`.
 */
export type AccessAfter = (
  accountId: AccountId,
  entitlements: readonly Entitlement[],
  at: string,
) => Promise<Readonly<{ before: MemberAccess; after: MemberAccess }>>;

/** For Nest: an `AccessAfter`. */
export const ACCESS_AFTER = Symbol('AccessAfter');
