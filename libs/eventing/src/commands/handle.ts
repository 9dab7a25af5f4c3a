import {
  commandId,
  DomainError,
  eventIdFor,
  isoNow,
  newId,
  type Clock,
  type CommandId,
  type EventId,
} from '@tapedeck/kernel';
import { stateAfter, type Decider } from '../decider.ts';
import {
  replayIdName,
  type Actor,
  type DomainEvent,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../event.ts';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { queueOf, streamBusy } from './handle-queue.ts';
import { stateOfHistory, stateReader, type ReadState, type StreamState } from './stream-states.ts';

/** Who sends a command, when, and what caused it. */
export type CommandContext = Readonly<{
  commandId: CommandId;
  actor: Actor;
  /** ISO 8601 UTC. */
  now: string;
  correlationId: string;
  /** The event or request that led to this command; the command itself by default. */
  causationId?: string;
  /** The replay that appends its events. */
  replayId?: string;
  /** A hash of what the command's sender sent. A repetition with another hash is refused. */
  contentHash?: string;
  /** Called with the stream before the command is executed. */
  onStream?: (stream: string) => void;
  /** Receives the position of the command's outcome; the API sends it to the client. */
  onPosition?: (position: Position) => void;
}>;

export type CommandContextOptions = Readonly<{ actor: Actor; clock: Clock }> &
  Partial<Omit<CommandContext, 'actor' | 'now'>>;

/**
 * The context of a command. By default the command is new and correlates with itself.
 *
 * @example
 * await importStrategy(stream, command, commandContext({ actor: system, clock, correlationId: importId }));
 */
export const commandContext = ({
  actor,
  clock,
  commandId: id = commandId(newId()),
  correlationId = id,
  ...rest
}: CommandContextOptions): CommandContext => ({
  commandId: id,
  actor,
  now: isoNow(clock),
  correlationId,
  ...rest,
});

export type HandleResult<State = unknown> = Readonly<{
  /** The stream's version after the command. */
  version: number;
  /** The position of the stream's last event after the command; 0n for an empty stream. */
  position: Position;
  /** Whether the command appended events: false for a repeated command, and when `decide` returned none. */
  changed: boolean;
  /**
   * The version of the command's first event, also when that was appended by an earlier execution, whose answer may have
   * been lost; null when the command has none.
   */
  firstVersion: number | null;
  /** The stream's state after the command. */
  state: State;
}>;

export type HandleOptions = Readonly<{
  /** The stream's events, when the caller has read them already; they are read again only after a conflict. */
  history?: readonly RecordedEvent[];
  /**
   * `unknown` avoids the question whether a command with nothing to do was executed before; its `firstVersion` is then
   * null in both cases.
   */
  repetition?: 'reported' | 'unknown';
}>;

export type Handle<Command, State = unknown> = (
  stream: string,
  command: Command,
  context: CommandContext,
  options?: HandleOptions,
) => Promise<HandleResult<State>>;

const maxConflictRetries = 32;
const maxRetryDelayMs = 64;

/** Waits a random time before a retry, so that several processes do not conflict in step. */
const delayRetry = (retry: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(2 ** retry, maxRetryDelayMs));
  });

/** Metadata of an event: the `contentHash` of its command. */
const contentHashName = 'contentHash';

const toNewEvent = <E extends DomainEvent>(
  id: EventId,
  event: E,
  types: EventTypes,
  context: CommandContext,
): NewEvent<E> => ({
  id,
  type: event.type,
  schemaVersion: types[event.type]?.version ?? 1,
  data: event.data,
  metadata: {
    actorId: context.actor.id,
    actorKind: context.actor.kind,
    occurredAt: context.now,
    correlationId: context.correlationId,
    causationId: context.causationId ?? context.commandId,
    ...(context.replayId === undefined ? {} : { [replayIdName]: context.replayId }),
    ...(context.contentHash === undefined ? {} : { [contentHashName]: context.contentHash }),
  },
});

/** @throws DomainError IDEMPOTENCY_KEY_REUSED when the repetition of a command has other content than the command. */
const assertSameContent = ({ metadata }: RecordedEvent, { contentHash }: CommandContext): void => {
  if (contentHash === undefined || metadata[contentHashName] === contentHash) return;
  throw new DomainError(
    'unprocessable',
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for a request with other content: send a new one.',
  );
};

/** What `decide` returned or threw. */
type Decision<Event> = Readonly<{ events?: readonly Event[]; refusal?: Readonly<{ error: unknown }> }>;

/** Only the same command has the same ids: it was executed on a newer state, where it decided other events. */
const outcomeOfReusedIds = (error: unknown): Readonly<{ outcome: 'duplicate' }> => {
  if (error instanceof DomainError && error.code === 'EVENT_ID_REUSED') return { outcome: 'duplicate' };
  throw error;
};

/**
 * Makes the function that executes commands: it reads the stream's new events, computes the state, decides and appends
 * with the expected version. Nothing else in the product appends.
 *
 * Commands that one process sends to one stream are executed one after the other, in the order of arrival. After a
 * version conflict with another process a command starts again. STREAM_BUSY: too many commands wait for the stream, or
 * one of them conflicts again and again; nothing was written.
 *
 * A repeated command (its event ids are already in the stream) is not executed again. One command id may change several
 * streams; two commands to one stream need two ids.
 *
 * @example
 * const open = handle(store, door, doorEvents);
 * const { version, position } = await open('door-front', { by: 'Ada' }, context);
 */
export const handle = <State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  types: EventTypes & Readonly<Record<Event['type'], unknown>>,
  readState: ReadState<State> = stateReader(store, decider),
): Handle<Command, State> => {
  /** Events of the command that are in the stream already; undefined for a command that was not executed before. */
  const outcomeOfRepetition = async (
    stream: string,
    { state, version, position }: StreamState<State>,
    context: CommandContext,
  ): Promise<HandleResult<State> | 'outdated' | undefined> => {
    const executed = await store.findEvent(stream, eventIdFor(context.commandId, stream, 0));
    if (!executed) return undefined;
    assertSameContent(executed, context);
    if (executed.version > version) return 'outdated';
    return { version, position, changed: false, firstVersion: executed.version, state };
  };

  const attempt = async (
    stream: string,
    current: StreamState<State>,
    command: Command,
    context: CommandContext,
    { repetition }: HandleOptions,
  ): Promise<HandleResult<State> | 'outdated'> => {
    const { state, version, position } = current;
    const { events = [], refusal } = decideOn(command, state);
    if (events.length === 0) {
      // A command that was executed before may be refused, or have nothing to do, on the state that it led to.
      const isAsked = refusal !== undefined || repetition !== 'unknown';
      const repeated = isAsked ? await outcomeOfRepetition(stream, current, context) : undefined;
      if (repeated) return repeated;
      if (refusal) throw refusal.error;
      return { version, position, changed: false, firstVersion: null, state };
    }
    const newEvents = events.map((event, index) =>
      toNewEvent(eventIdFor(context.commandId, stream, index), event, types, context),
    );
    const expected = version === 0 ? 'NO_STREAM' : version;
    const result = await store.append(stream, expected, newEvents).catch(outcomeOfReusedIds);
    if (result.outcome === 'conflict') return 'outdated';
    if (result.outcome === 'duplicate') {
      return (await outcomeOfRepetition(stream, current, context)) ?? 'outdated';
    }
    return {
      version: result.version,
      position: result.position,
      changed: true,
      firstVersion: version + 1,
      state: stateAfter(decider, events, state),
    };
  };

  const decideOn = (command: Command, state: State): Decision<Event> => {
    try {
      return { events: decider.decide(command, state) };
    } catch (error) {
      return { refusal: { error } };
    }
  };

  const execute = async (
    stream: string,
    command: Command,
    context: CommandContext,
    options: HandleOptions,
  ): Promise<HandleResult<State>> => {
    const { history } = options;
    for (let retries = 0; retries <= maxConflictRetries; retries++) {
      if (retries > 0) await delayRetry(retries);
      const current = retries === 0 && history ? stateOfHistory(history, decider) : await readState(stream);
      const result = await attempt(stream, current, command, context, options);
      if (result === 'outdated') continue;
      context.onPosition?.(result.position);
      return result;
    }
    throw streamBusy();
  };

  return async (stream, command, context, options = {}) => {
    context.onStream?.(stream);
    return queueOf(store).run(stream, () => execute(stream, command, context, options));
  };
};
