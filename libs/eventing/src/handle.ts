import {
  commandId,
  DomainError,
  eventIdFor,
  isoNow,
  newId,
  type Clock,
  type CommandId,
} from '@tapedeck/kernel';
import type { Decider } from './decider.ts';
import type { Actor, DomainEvent, NewEvent, Position, RecordedEvent } from './event.ts';
import type { EventStore } from './event-store.ts';
import type { EventTypes } from './event-types.ts';

/** The actor, the time and the cause of a command. */
export type CommandContext = Readonly<{
  commandId: CommandId;
  actor: Actor;
  /** ISO 8601 UTC. */
  now: string;
  correlationId: string;
  /** The event or request that led to this command; the command itself by default. */
  causationId?: string;
  /** Receives the tape position of the command's outcome, so that its answer can tell it to the client. */
  onPosition?: (position: Position) => void;
}>;

export type CommandContextOptions = Readonly<{ actor: Actor; clock: Clock }> &
  Partial<Omit<CommandContext, 'actor' | 'now'>>;

/**
 * The context of a command: of a request, an import, a start-up or a reaction. Without `commandId` the command is a
 * new one; without `correlationId` it correlates with itself.
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

export type Handled<State = unknown> = Readonly<{
  /** The stream's version after the command. */
  version: number;
  /** Where the command's facts stand on the tape; of the stream's last event when nothing was new; 0n for an empty stream. */
  position: Position;
  /** False when the command was already true, or was a repetition. */
  changed: boolean;
  /** What the stream amounts to after the command. */
  state: State;
}>;

export type HandleOptions = Readonly<{
  /** The stream as it was read already; it is read again only after a conflict. */
  history?: readonly RecordedEvent[];
}>;

export type Handle<Command, State = unknown> = (
  stream: string,
  command: Command,
  context: CommandContext,
  options?: HandleOptions,
) => Promise<Handled<State>>;

const maxConflictRetries = 8;

const toNewEvent = <E extends DomainEvent>(
  event: E,
  index: number,
  types: EventTypes,
  context: CommandContext,
): NewEvent<E> => ({
  id: eventIdFor(context.commandId, index),
  type: event.type,
  schemaVersion: types[event.type]?.version ?? 1,
  data: event.data,
  metadata: {
    actorId: context.actor.id,
    actorKind: context.actor.kind,
    occurredAt: context.now,
    correlationId: context.correlationId,
    causationId: context.causationId ?? context.commandId,
  },
});

/**
 * The only way to write: load the stream, fold, decide, append with the expected version;
 * again from the start when another writer was faster.
 *
 * A command id that is already on the stream is answered as it was the first time, without deciding again.
 *
 * @example
 * const open = handle(store, door, doorEvents);
 * const { version, position } = await open('door-front', { by: 'Ada' }, context);
 */
export const handle = <State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  types: EventTypes,
): Handle<Command, State> => {
  const attempt = async (
    stream: string,
    history: readonly RecordedEvent[],
    command: Command,
    context: CommandContext,
  ): Promise<Handled<State> | 'conflict'> => {
    const version = history.at(-1)?.version ?? 0;
    const position = history.at(-1)?.position ?? 0n;
    // A recorded event is typed as any event: the store hands out only types it knows, upcast to their
    // current version, and a category has one decider.
    const state = history.reduce((s, e) => decider.evolve(s, e as unknown as Event), decider.initialState);
    const first = eventIdFor(context.commandId, 0);
    if (history.some((event) => event.id === first)) return { version, position, changed: false, state };
    const facts = decider.decide(command, state);
    if (facts.length === 0) return { version, position, changed: false, state };
    const result = await store.append(
      stream,
      version === 0 ? 'NO_STREAM' : version,
      facts.map((fact, index) => toNewEvent(fact, index, types, context)),
    );
    if (result.outcome === 'conflict') return 'conflict';
    return {
      version: result.version,
      position: result.position,
      changed: result.outcome === 'appended',
      state: facts.reduce(decider.evolve, state),
    };
  };

  return async (stream, command, context, { history } = {}) => {
    for (let retries = 0; retries <= maxConflictRetries; retries++) {
      const read = retries === 0 && history ? history : await store.readStream(stream);
      const handled = await attempt(stream, read, command, context);
      if (handled === 'conflict') continue;
      context.onPosition?.(handled.position);
      return handled;
    }
    throw new DomainError(
      'conflict',
      'STREAM_BUSY',
      'Too many changes to the same thing at once: try again in a moment.',
    );
  };
};
