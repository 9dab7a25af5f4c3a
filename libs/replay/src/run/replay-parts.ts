import type { EventTypes, Projection, Reaction, RecordedEvent } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';

/** What of the other modules a replay needs; whoever composes them provides it. */
export type ReplayParts = Readonly<{
  /** Of all modules: the same that the projector runs. */
  reactions: readonly Reaction[];
  /** The read models whose rows are compared. Each row comes from the events of one subscription, checkout or member. */
  projections: readonly Projection[];
  /** The streams of an account outside of this module that say what its payments give it. */
  accountStreams: (accountId: AccountId) => readonly string[];
  /** Of all modules. */
  types: EventTypes;
  /** An event in plain words, without personal data. */
  textOf: (event: RecordedEvent) => string;
}>;

/** For Nest: the `ReplayParts`. */
export const REPLAY_PARTS = Symbol('ReplayParts');
