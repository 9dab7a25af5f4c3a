import type { DomainEvent } from './event.ts';

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
  evolve: (state: State, event: Event) => State;
  /** The state after several events. Only for a state that takes long to copy: `evolve` copies it for each event. */
  evolveAll?: (state: State, events: readonly Event[]) => State;
}>;

/**
 * The state after the events, from the initial state or the given one.
 *
 * @example
 * const state = stateAfter(door, history);
 */
export const stateAfter = <State, Event extends DomainEvent>(
  { initialState, evolve, evolveAll }: Decider<State, never, Event>,
  events: readonly Event[],
  state: State = initialState,
): State => (evolveAll ? evolveAll(state, events) : events.reduce(evolve, state));
