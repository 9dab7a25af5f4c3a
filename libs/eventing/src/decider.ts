import type { JsonValue } from '@tapedeck/kernel';
import type { SealedEvent } from './event-types.ts';
import type { DomainEvent } from './event.ts';

/** How the state of a long stream is stored, so that a command does not read all of the stream's events. */
export type SnapshotForm<State> = Readonly<{
  /** From 1. Another number whenever `evolve` computes another state from the same events, or the entries change. */
  version: number;
  /** The state in parts: each is converted to JSON on its own, so that a large state does not block the process. */
  toEntries: (state: State) => readonly JsonValue[];
  fromEntries: (entries: readonly JsonValue[]) => State;
  /** The account whose key encrypts the snapshot; required when the state contains personal fields. */
  subjectOf?: (stream: string) => string;
}>;

/**
 * The rules of one category of streams, as pure functions.
 *
 * `decide` returns the events that a command causes: none when the stream already is as the command wants it. It
 * throws a DomainError when a rule forbids the command. `evolve` computes the state after an event.
 *
 * @example
 * const door: Decider<'open' | 'shut', OpenDoor, DoorOpened> = {
 *   initialState: 'shut',
 *   decide: (command, state) => (state === 'open' ? [] : [{ type: 'DoorOpened', data: { by: command.by } }]),
 *   evolve: () => 'open',
 * };
 */
export type Decider<State, Command, Event extends DomainEvent> = Readonly<{
  initialState: State;
  decide: (command: Command, state: State) => readonly Event[];
  /** Takes a time that does not depend on the size of the state: a stream may have 100,000 events. */
  evolve: (state: State, event: Event) => State;
  /** Required when a stream may become long. */
  snapshot?: SnapshotForm<State>;
}>;

/**
 * The state after the events, from the initial state or the given one.
 *
 * @example
 * const state = stateAfter(door, history);
 */
export const stateAfter = <State, Event extends DomainEvent>(
  { initialState, evolve }: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  events: readonly Event[],
  state: State = initialState,
): State => events.reduce(evolve, state);

/**
 * `evolve` for events with sealed personal fields: what it copies of these is ciphertext. Only for callers that read other
 * fields of the state, and for an `evolve` that does not look into them.
 *
 * @example
 * const evolveSubscriptionSealed = evolveSealed(evolveSubscription);
 */
export const evolveSealed =
  <State, Event extends DomainEvent>(evolve: (state: State, event: Event) => State) =>
  (state: State, event: Event | SealedEvent<Event>): State =>
    // The cast is what this function is for: to `evolve` a sealed field is a value that it copies.
    evolve(state, event as Event);

/**
 * The state after events with sealed personal fields, as `evolveSealed` computes it.
 *
 * @example
 * const { ignored } = stateAfterSealed(operationsDecider, sealedHistory);
 */
export const stateAfterSealed = <State, Event extends DomainEvent>(
  { initialState, evolve }: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  events: readonly SealedEvent<Event>[],
): State => events.reduce(evolveSealed(evolve), initialState);
