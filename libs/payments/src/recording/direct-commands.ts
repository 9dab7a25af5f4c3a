import {
  commandContext,
  handle,
  readStates,
  type CommandTarget,
  type Dispatch,
  type EventStore,
  type Handle,
  type ReadStream,
} from '@tapedeck/eventing';
import { commandId, newId, timeOrderedId, type Clock } from '@tapedeck/kernel';
import { currentRequest } from '@tapedeck/platform/request-context';

export type DirectCommands = Readonly<{
  read: ReadStream;
  send: (dispatches: readonly Dispatch[]) => Promise<void>;
}>;

const system = { id: 'system', kind: 'system' } as const;

/**
 * Sends what an effect would send, in a request that cannot wait for the projector: both may happen, in any order, since
 * what is recorded already is not recorded again.
 */
export const directCommands = (store: EventStore, clock: Clock): DirectCommands => {
  const handles = new Map<CommandTarget, Handle<unknown>>();
  const handleOf = (target: CommandTarget): Handle<unknown> => {
    const known = handles.get(target) ?? handle(store, target.decider, target.types);
    handles.set(target, known);
    return known;
  };
  return {
    read: readStates(store),
    send: async (dispatches) => {
      const request = currentRequest();
      const source = newId();
      for (const [index, { target, stream, command }] of dispatches.entries()) {
        const context = commandContext({
          actor: system,
          clock,
          commandId: commandId(timeOrderedId(source, index)),
          correlationId: request?.request.id ?? source,
          onPosition: (position) => {
            if (request && position > request.written) request.written = position;
          },
        });
        await handleOf(target)(stream, command, context);
      }
    },
  };
};
