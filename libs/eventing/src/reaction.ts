import type { Decider } from './decider.ts';
import type { DomainEvent, RecordedEvent } from './event.ts';
import type { EventTypes } from './event-types.ts';
import type { ProjectionTable } from './projection.ts';

/** The deciders and event types by which a module executes the commands that reactions and due dates send. */
export type CommandTarget<State = unknown, Command = unknown> = Readonly<{
  /** @internal Only the runner looks into it. */
  decider: Decider<State, Command, DomainEvent>;
  types: EventTypes;
}>;

/** A command on its way to a stream. Its id is derived from the event or due date that caused it. */
export type Dispatch = Readonly<{ target: CommandTarget; stream: string; command: unknown }>;

/**
 * The target for the commands of a decider.
 *
 * @example
 * export const memberships = commandTarget(membershipDecider, membershipEvents);
 */
export const commandTarget = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  types: EventTypes & Readonly<Record<Event['type'], unknown>>,
): CommandTarget<State, Command> =>
  // The runner gives the decider only events of its own streams.
  ({ decider: decider as unknown as Decider<State, Command, DomainEvent>, types });

/**
 * A command for a stream, as a reaction returns it.
 *
 * @example
 * return [dispatch(memberships, membershipStream(accountId), { type: 'FollowEntitlement', … })];
 */
export const dispatch = <State, Command>(
  target: CommandTarget<State, Command>,
  stream: string,
  command: Command,
): Dispatch => ({ target: target as unknown as CommandTarget, stream, command });

/** The state of a stream, up to its last event that is on the tape. */
export type ReadStream = <State>(target: CommandTarget<State, never>, stream: string) => Promise<State>;

/** The event's cause is not known yet. The event is tried again later; the reason is shown to support. */
export class WaitingFor extends Error {}

type Consumer = Readonly<{
  /** Never changes: ids of commands derive from it. */
  name: string;
  types: readonly string[];
  /** Events of one key are handled one after the other, in their order; the key is the stream by default. */
  keyOf?: (event: RecordedEvent) => string;
  /**
   * Whether an event has to be handled: the others are passed over at once, and cost no row of their own. By its plain
   * fields only; what it says of an event never changes.
   */
  concerns?: (event: RecordedEvent) => boolean;
  /** Where a new one begins: with the first event of the tape (default), or after the last one. */
  begins?: 'first' | 'next';
  /** `sealed`: for one that reads no personal field, so that none is decrypted for it. Its events are `SealedEvent`s. */
  form?: 'current' | 'sealed';
}>;

/**
 * A process manager: a function from an event, and the states that it reads, to commands. It reaches nothing else. Define
 * it by `defineReaction`.
 */
export type Reaction = Consumer &
  Readonly<{
    react: (event: RecordedEvent, read: ReadStream) => readonly Dispatch[] | Promise<readonly Dispatch[]>;
  }>;

export type EffectContext = Readonly<{
  read: ReadStream;
  /** The same for each attempt: the idempotency key of the outside call. */
  key: string;
  /** ISO 8601 UTC. */
  now: string;
  attempt: number;
  signal: AbortSignal;
}>;

/**
 * What an effect does with an event that a replay has appended. `run`: it only reads outside, or works on our own tables.
 * `skip`: for messages that must not be sent again. `hold`: for changes of the outside, which are parked until a person
 * has them done; later events do not wait for them.
 */
export type AfterReplay = 'run' | 'skip' | 'hold';

/**
 * Work on the outside world that an event causes. It is stored in the outbox together with the checkpoint, and repeated
 * until it succeeds, so that it happens at least once; `key` lets the other side recognise a repetition. The commands that
 * it returns record the outcome. Its ports are bound where it is made: a replay makes none. Define it by `defineEffect`.
 */
export type Effect = Consumer &
  Readonly<{
    /** Of a function: it decides by the type of the event. */
    afterReplay: AfterReplay | ((event: RecordedEvent) => AfterReplay);
    run: (event: RecordedEvent, context: EffectContext) => Promise<readonly Dispatch[]>;
    /**
     * Handles several events of one key, in their order, as one: for work that a later event makes unnecessary for the
     * earlier ones, such as reading the same object. After a failure the first of them is tried alone, by `run`.
     */
    runTogether?: (events: readonly RecordedEvent[], context: EffectContext) => Promise<readonly Dispatch[]>;
  }>;

/** The functions of a reaction or an effect, of events of one union. */
type OfEvents<Handler, Event extends DomainEvent> = Omit<
  Handler,
  'types' | 'keyOf' | 'concerns' | 'react' | 'run' | 'runTogether' | 'afterReplay'
> &
  Readonly<{
    /** One entry for each type of the union; the values are not used. A module's event types fit, or `true` for each. */
    types: Readonly<Record<Event['type'], unknown>>;
    keyOf?: (event: RecordedEvent<Event>) => string;
    concerns?: (event: RecordedEvent<Event>) => boolean;
  }>;

export type ReactionDefinition<Event extends DomainEvent> = OfEvents<Reaction, Event> &
  Readonly<{
    react: (
      event: RecordedEvent<Event>,
      read: ReadStream,
    ) => readonly Dispatch[] | Promise<readonly Dispatch[]>;
  }>;

export type EffectDefinition<Event extends DomainEvent> = OfEvents<Effect, Event> &
  Readonly<{
    afterReplay: AfterReplay | ((event: RecordedEvent<Event>) => AfterReplay);
    run: (event: RecordedEvent<Event>, context: EffectContext) => Promise<readonly Dispatch[]>;
    runTogether?: (
      events: readonly RecordedEvent<Event>[],
      context: EffectContext,
    ) => Promise<readonly Dispatch[]>;
  }>;

/**
 * A reaction to the events of one union. The compiler demands an entry in `types` for each type of the union, and gives
 * the functions typed events.
 *
 * @example
 * const follow = defineReaction<EntitlementChanged>({
 *   name: 'membership-follows-payments',
 *   types: { EntitlementChanged: true },
 *   react: ({ data }) => [dispatch(memberships, membershipStream(data.accountId), { type: 'FollowEntitlement', … })],
 * });
 */
export const defineReaction = <Event extends DomainEvent>({
  types,
  ...rest
}: ReactionDefinition<Event>): Reaction => ({
  // The cast is safe: the runner calls the functions with events of these types only, at their current version.
  ...(rest as unknown as Omit<Reaction, 'types'>),
  types: Object.keys(types),
});

/**
 * An effect of the events of one union, with the same demands as `defineReaction`.
 *
 * @example
 * const mails = defineEffect<MembershipEnded>({
 *   name: 'membership-mails',
 *   afterReplay: 'skip',
 *   types: { MembershipEnded: true },
 *   run: async ({ data }, { key }) => {
 *     await mailer.send({ id: key, to: await addressOf(data.accountId), ...text });
 *     return [];
 *   },
 * });
 */
export const defineEffect = <Event extends DomainEvent>({
  types,
  ...rest
}: EffectDefinition<Event>): Effect => ({
  // The cast is safe for the same reason.
  ...(rest as unknown as Omit<Effect, 'types'>),
  types: Object.keys(types),
});

/** Columns of a table of due dates, which a projection fills; one row per stream and kind. */
export type DueRow = Readonly<{
  stream: string;
  kind: string;
  due_at: Date;
  details: Record<string, unknown>;
}>;

/**
 * The table of due dates that a projection fills: a row per stream and kind, which is removed or replaced when the date is.
 *
 * @example
 * tables: [dueDatesTable('membership_due')]
 * // in the fold: { op: 'put', table: 'membership_due', key: { stream, kind: 'grace' }, row: { due_at: until } }
 */
export const dueDatesTable = (name: string): ProjectionTable => ({
  name,
  key: ['stream', 'kind'],
  columns: {
    stream: 'text',
    kind: 'text',
    due_at: 'timestamptz not null',
    details: `jsonb not null default '{}'`,
  },
  indexes: ['(due_at)'],
});

/** Commands that are sent when their time has come. Their ids derive from stream, kind and due date. */
export type DueDates = Readonly<{
  /** Never changes. */
  name: string;
  /** The projection that contains the table, and the table, made by `dueDatesTable`. */
  projection: string;
  table: string;
  /** That of the projection; `tapedeck` by default. */
  database?: string;
  dispatch: (row: DueRow, now: string) => readonly Dispatch[];
}>;
