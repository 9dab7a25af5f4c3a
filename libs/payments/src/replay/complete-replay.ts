import { handle, type CommandContext, type EventStore } from '@tapedeck/eventing';
import { retryParked, type ShadowCommand } from '@tapedeck/eventing/reactions';
import type { Databases } from '@tapedeck/platform/databases';
import { replayDecider } from '../domain/replay.ts';
import { replayEvents, replayStream } from '../events.ts';
import type { ReplayRun } from './run-replay.ts';

export type CompletingPorts = Readonly<{ store: EventStore; databases: Databases }>;

/**
 * Appends what the run of a confirmed replay has found. What is on the tape already stays as it is, so that an apply that
 * was interrupted is completed by repeating this with a new run.
 */
export const completeReplay = async (
  { store, databases }: CompletingPorts,
  { commands, released, request: { replayId } }: ReplayRun,
  context: CommandContext,
): Promise<void> => {
  const { onPosition } = context;
  const append = async ({ dispatch, context: caused }: ShadowCommand): Promise<void> => {
    const { target, stream, command } = dispatch;
    await handle(store, target.decider, target.types)(
      stream,
      command,
      onPosition ? { ...caused, onPosition } : caused,
    );
  };
  for (const command of commands) await append(command);
  for (const { reaction, key } of released) await retryParked(databases.tapedeck, reaction, key);
  const complete = handle(store, replayDecider, replayEvents);
  await complete(replayStream(replayId), { type: 'CompleteReplay' }, { ...context, correlationId: replayId });
};
