import type { CommandContext, EventStore, Handle } from '@tapedeck/eventing';
import { recordOf, type Replay, type ReplayCommand } from '../domain/replay.ts';
import { replays } from '../effects/command-targets.ts';
import { readStreamNow } from '../effects/send-dispatches.ts';
import { replayStream } from '../events.ts';
import type { ReplayRun } from './run-replay.ts';

export const readReplay = (store: EventStore, replayId: string): Promise<Replay> =>
  readStreamNow(store)(replays, replayStream(replayId));

/** Puts a dry run on the tape. */
export const recordTried = async (
  handleReplay: Handle<ReplayCommand>,
  { request, accountId, subscriptionId, figures }: ReplayRun,
  context: CommandContext,
): Promise<void> => {
  const { replayId, mode, target, at } = request;
  const command = recordOf({ replayId, mode, target, at, accountId, subscriptionId, ...figures });
  await handleReplay(replayStream(replayId), command, { ...context, correlationId: replayId });
};
