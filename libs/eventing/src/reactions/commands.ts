import {
  handle,
  type CommandContext,
  type Handle,
  type HandleOptions,
  type HandleResult,
} from '../commands/handle.ts';
import { stateReader, type ReadState } from '../commands/stream-states.ts';
import type { EventStore } from '../event-store.ts';
import type { CommandTarget, Dispatch, ReadStream } from '../reaction.ts';

export type Commands = Readonly<{
  read: ReadStream;
  send: (dispatch: Dispatch, context: CommandContext) => Promise<HandleResult>;
}>;

/**
 * Executes commands while `assertHeld` does not throw. It is called whenever a state was read, so before every decision
 * and after every version conflict: a process that has lost its lease decides on no state to which its successor has
 * contributed.
 */
export const leasedCommands = (
  store: EventStore,
  assertHeld: () => void,
  options: Pick<HandleOptions, 'repetition'> = {},
): Commands => {
  const readers = new Map<CommandTarget, ReadState<unknown>>();
  const handles = new Map<CommandTarget, Handle<unknown>>();

  const readerOf = (target: CommandTarget): ReadState<unknown> => {
    const known = readers.get(target);
    if (known) return known;
    const readState = stateReader(store, target.decider);
    const reader: ReadState<unknown> = async (stream) => {
      const state = await readState(stream);
      assertHeld();
      return state;
    };
    readers.set(target, reader);
    return reader;
  };

  const handleOf = (target: CommandTarget): Handle<unknown> => {
    const known = handles.get(target) ?? handle(store, target.decider, target.types, readerOf(target));
    handles.set(target, known);
    return known;
  };

  return {
    read: async <State>(target: CommandTarget<State, never>, stream: string) => {
      const { state } = await readerOf(target as unknown as CommandTarget)(stream);
      // The target's decider has computed it.
      return state as State;
    },
    send: ({ target, stream, command }, context) => handleOf(target)(stream, command, context, options),
  };
};
