import type { DomainEvent, Personal } from '@tapedeck/eventing/core';

/** The key of one reason alone. */
type Reasoned = { reason: Personal<string>; personalSubject: string };
type OfChange = { projection: string; requestId: string };
/** `subscriber`: the name of the consumer, as it is stored. */
type OfParked = { subscriber: string; position: string };

/** An admin wants a read model to be made from the first event again. */
export type RebuildRequested = DomainEvent<'RebuildRequested', OfChange & Reasoned>;
/** The projector fills the new build. */
export type RebuildStarted = DomainEvent<'RebuildStarted', OfChange & { eventsToRead: number }>;
/** Queries use the new build from this position on; the one before stays for a roll-back. */
export type RebuildCompleted = DomainEvent<'RebuildCompleted', OfChange & { position: string }>;
/** The build that was in use still is. */
export type RebuildFailed = DomainEvent<'RebuildFailed', OfChange & { error: string }>;

/** An admin wants queries to use the build before again. */
export type RollBackRequested = DomainEvent<'RollBackRequested', OfChange & Reasoned>;
/** It has read the events that came meanwhile, and queries use it from this position on. */
export type RolledBack = DomainEvent<'RolledBack', OfChange & { position: string }>;
export type RollBackFailed = DomainEvent<'RollBackFailed', OfChange & { error: string }>;

/** An admin wants a rebuild or roll-back that is under way to be cancelled. */
export type ChangeCancelRequested = DomainEvent<'ChangeCancelRequested', OfChange>;
/** The build that was in use still is. */
export type ChangeCancelled = DomainEvent<'ChangeCancelled', OfChange>;

/** A person, a replay that was applied, or the job for changes at Stripe that were tried too often. */
export type RetryReason = 'by-hand' | 'replay' | 'parked-write';

/** Events that a read model, a reaction or an effect has not handled are tried again. */
export type ParkedEventsRetried = DomainEvent<
  'ParkedEventsRetried',
  { subscriber: string; positions: readonly string[]; reason: RetryReason }
>;

export type ConsumerKind = 'projection' | 'reaction';

/** A person ignores an event, so that the later ones of its key are handled. */
export type ParkedEventIgnored = DomainEvent<
  'ParkedEventIgnored',
  OfParked & {
    kind: ConsumerKind;
    key: string;
    stream: string;
    eventType: string;
    /** The error, without the ids and texts of this event. */
    group: string;
  } & Reasoned
>;
/** There was nothing left to ignore: the event was handled meanwhile. */
export type IgnoreMissed = DomainEvent<'IgnoreMissed', OfParked>;
/** An ignored event is restored: a reaction handles it now, a read model in its next build. */
export type IgnoredEventRetried = DomainEvent<
  'IgnoredEventRetried',
  OfParked & {
    kind: ConsumerKind;
    /** Null before reasons were recorded for reactions too. */
    reason: Personal<string | null>;
    personalSubject: string;
  }
>;

export type OperationsEvent =
  | RebuildRequested
  | RebuildStarted
  | RebuildCompleted
  | RebuildFailed
  | RollBackRequested
  | RolledBack
  | RollBackFailed
  | ChangeCancelRequested
  | ChangeCancelled
  | ParkedEventsRetried
  | ParkedEventIgnored
  | IgnoreMissed
  | IgnoredEventRetried;
