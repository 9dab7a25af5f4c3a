import { DomainError, eventIdFor, type CommandId } from '@tapedeck/kernel';
import type { Decider } from './decider.ts';
import type { Actor, DomainEvent, NewEvent, Position } from './event.ts';
import type { EventStore } from './event-store.ts';
import type { EventTypes } from './event-types.ts';

/** Who asks, when, and because of what. */
export type CommandContext = Readonly<{
  commandId: CommandId;
  actor: Actor;
  /** ISO 8601 UTC. */
  now: string;
  correlationId: string;
  /** The event or request that led to this command; the command itself by default. */
  causationId?: string;
}>;

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
  /** Refuse with PRECONDITION_FAILED unless the stream is at this version (If-Match). */
  expectedVersion?: number;
}>;

export type Handle<Command, State = unknown> = (
  stream: string,
  command: Command,
  context: CommandContext,
  options?: HandleOptions,
) => Promise<Handled<State>>;

const conflictRetries = 8;

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

const preconditionFailed = (actual: number): DomainError =>
  new DomainError(
    'precondition-failed',
    'STREAM_MOVED_ON',
    'It was changed by someone else in the meantime: load it again and repeat the change.',
    { actual },
  );

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
export const handle =
  <State, Command, Event extends DomainEvent>(
    store: EventStore,
    decider: Decider<State, Command, Event>,
    types: EventTypes,
  ): Handle<Command, State> =>
  async (stream, command, context, options = {}) => {
    for (let attempt = 0; attempt <= conflictRetries; attempt++) {
      const history = await store.readStream(stream);
      const version = history.at(-1)?.version ?? 0;
      const position = history.at(-1)?.position ?? 0n;
      // A recorded event is typed as any event: the store hands out only types it knows, upcast to their
      // current version, and a category has one decider.
      const state = history.reduce((s, e) => decider.evolve(s, e as unknown as Event), decider.initialState);
      const first = eventIdFor(context.commandId, 0);
      if (history.some((event) => event.id === first)) return { version, position, changed: false, state };
      if (options.expectedVersion !== undefined && options.expectedVersion !== version) {
        throw preconditionFailed(version);
      }
      const facts = decider.decide(command, state);
      if (facts.length === 0) return { version, position, changed: false, state };
      const result = await store.append(
        stream,
        version === 0 ? 'NO_STREAM' : version,
        facts.map((fact, index) => toNewEvent(fact, index, types, context)),
      );
      if (result.outcome !== 'conflict') {
        return {
          version: result.version,
          position: result.position,
          changed: result.outcome === 'appended',
          state: facts.reduce(decider.evolve, state),
        };
      }
    }
    throw new DomainError(
      'conflict',
      'STREAM_BUSY',
      'Too many changes to the same thing at once: try again in a moment.',
    );
  };
