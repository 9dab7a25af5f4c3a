import { commandId, timeOrderedId, type Clock } from '@tapedeck/kernel';
import { commandContext, type CommandContext } from '../commands/handle.ts';
import { replayIdName, type Actor, type RecordedEvent } from '../event.ts';

export const systemActor: Actor = { id: 'system', kind: 'system' };

const replayOf = ({ metadata }: RecordedEvent): Pick<CommandContext, 'replayId'> => {
  const replayId = metadata[replayIdName];
  return replayId === undefined ? {} : { replayId };
};

/** The context of the command that a reaction or an effect returns at this index for the event. */
export const causedContext = (
  reaction: string,
  event: RecordedEvent,
  index: number,
  clock: Clock,
): CommandContext =>
  commandContext({
    actor: systemActor,
    clock,
    commandId: commandId(timeOrderedId(event.id, reaction, index)),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    ...replayOf(event),
  });
