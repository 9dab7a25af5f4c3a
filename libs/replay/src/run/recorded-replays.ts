import { commandTarget, type CommandContext, type EventStore, type Handle } from '@tapedeck/eventing';
import { recordOf, replayDecider, type Replay, type ReplayCommand } from '../domain/replay.ts';
import { readStreamNow } from '@tapedeck/payments/reactions';
import { replayEvents, replayStream } from '../events.ts';
import type { ReplayRun } from './run-replay.ts';

export const replays = commandTarget(replayDecider, replayEvents);

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
