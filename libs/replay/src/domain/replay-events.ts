import type { DomainEvent, Personal } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';

/**
 * `retry`: handles again what has failed. `rebuild`: derives everything again from the events of the tape. `reread`: reads
 * the subscriptions at Stripe. `refetch`: fetches events of Stripe that are not on the tape.
 */
export type ReplayMode = 'retry' | 'rebuild' | 'reread' | 'refetch';

/** What a replay is about. `eventId` is that of Stripe; times are ISO 8601 UTC. */
export type ReplayTarget =
  | Readonly<{ kind: 'member'; accountId: AccountId }>
  | Readonly<{ kind: 'subscription'; subscriptionId: string }>
  | Readonly<{ kind: 'event'; eventId: string }>
  | Readonly<{ kind: 'window'; from: string; to: string }>;

/** Hashes are SHA-256 in hexadecimal. */
export type ReplayFigures = Readonly<{
  /** Of what would be appended: the same replay at the same state has the same one. */
  fingerprint: string;
  /** Of the fields of the read models, before and after. */
  beforeHash: string;
  afterHash: string;
  events: number;
  fields: number;
}>;

/** Whom it is about, where that is one account or one subscription. */
export type ReplayParticipants = Readonly<{ accountId: AccountId | null; subscriptionId: string | null }>;

/** A dry run: nothing was changed. */
export type ReplayTried = DomainEvent<
  'ReplayTried',
  { replayId: string; mode: ReplayMode; target: ReplayTarget; at: string } & ReplayParticipants &
    ReplayFigures
>;

/** Somebody has confirmed what the dry run has shown: it is appended next. */
export type ReplayApplied = DomainEvent<
  'ReplayApplied',
  { replayId: string; reason: Personal<string>; personalSubject: string } & ReplayParticipants & ReplayFigures
>;

/** Everything is on the tape that was confirmed. */
export type ReplayCompleted = DomainEvent<'ReplayCompleted', { replayId: string } & ReplayParticipants>;

export type ReplayEvent = ReplayTried | ReplayApplied | ReplayCompleted;
