import { defineEvents, type DomainEvent, type Personal } from '@tapedeck/eventing/core';

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

const reasoned = { version: 1, personal: ['reason'], subject: 'personalSubject' } as const;

export const operationsEvents = defineEvents<OperationsEvent>({
  RebuildRequested: reasoned,
  RebuildStarted: { version: 1 },
  RebuildCompleted: { version: 1 },
  RebuildFailed: { version: 1 },
  RollBackRequested: reasoned,
  RolledBack: { version: 1 },
  RollBackFailed: { version: 1 },
  ChangeCancelRequested: { version: 1 },
  ChangeCancelled: { version: 1 },
  ParkedEventsRetried: { version: 2, upcasters: [(data) => ({ ...data, reason: 'by-hand' })] },
  ParkedEventIgnored: reasoned,
  IgnoreMissed: { version: 1 },
  IgnoredEventRetried: {
    ...reasoned,
    version: 2,
    upcasters: [(data) => ({ ...data, reason: null, personalSubject: '' })],
  },
});

/** What was done about a projection, a reaction or an effect. */
export const operationsStream = (consumer: string): string => `projection-${consumer}`;

/** The key of one reason. */
export const reasonSubject = (requestId: string): string => `operation:${requestId}`;

/** A change that was asked for and has not ended. */
export type OpenChange = Readonly<{
  requestId: string;
  kind: 'rebuild' | 'roll-back';
  isStarted: boolean;
  isCancelRequested: boolean;
}>;

/** What was done about one projection, reaction or effect. */
export type Operations = Readonly<{
  change: OpenChange | null;
  /** By the positions of the events. */
  ignored: ReadonlyMap<string, ConsumerKind>;
}>;

export const noOperations: Operations = { change: null, ignored: new Map() };

const without = (ignored: Operations['ignored'], position: string): Operations['ignored'] =>
  new Map([...ignored].filter(([one]) => one !== position));

const opened = (requestId: string, kind: OpenChange['kind']): OpenChange => ({
  requestId,
  kind,
  isStarted: false,
  isCancelRequested: false,
});

export const evolve = (state: Operations, event: OperationsEvent): Operations => {
  switch (event.type) {
    case 'RebuildRequested':
      return { ...state, change: opened(event.data.requestId, 'rebuild') };
    case 'RollBackRequested':
      return { ...state, change: opened(event.data.requestId, 'roll-back') };
    case 'RebuildStarted':
      return { ...state, change: state.change && { ...state.change, isStarted: true } };
    case 'ChangeCancelRequested':
      return { ...state, change: state.change && { ...state.change, isCancelRequested: true } };
    case 'RebuildCompleted':
    case 'RebuildFailed':
    case 'RolledBack':
    case 'RollBackFailed':
    case 'ChangeCancelled':
      return { ...state, change: null };
    case 'ParkedEventsRetried':
      return state;
    case 'ParkedEventIgnored':
      return { ...state, ignored: new Map(state.ignored).set(event.data.position, event.data.kind) };
    case 'IgnoreMissed':
    case 'IgnoredEventRetried':
      return { ...state, ignored: without(state.ignored, event.data.position) };
    default:
      return event satisfies never;
  }
};
