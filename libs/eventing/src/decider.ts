import type { DomainEvent } from './event.ts';

/**
 * The rules of one kind of stream, as pure functions.
 *
 * `decide` returns the facts that follow from a command (none when it is already true) and throws a
 * DomainError when a rule forbids it. `evolve` folds a fact into the state that `decide` needs.
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
}>;
