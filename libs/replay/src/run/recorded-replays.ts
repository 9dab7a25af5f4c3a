import {
  handle,
  readStates,
  type CommandContext,
  type EventStore,
  type Handle,
  type Position,
} from '@tapedeck/eventing';
import type { ShadowCommand } from '@tapedeck/eventing/reactions';
import { commandId, derivedId } from '@tapedeck/kernel';
import { retryEvents } from '@tapedeck/operations/commands';
import {
  recordOf,
  type Replay,
  type ReplayCommand,
  replayDecider,
  replayEvents,
  replays,
  replayStream,
} from '../domain/replay.ts';
import type { ReplayRun } from './run-replay.ts';

export const readReplay = (store: EventStore, replayId: string): Promise<Replay> =>
  readStates(store)(replays, replayStream(replayId));

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

type Retried = Readonly<{ reaction: string; position: Position }>;

/** The released events are tried again by the projector: this is the same request when it is repeated. */
const retriesOf = (
  released: readonly Retried[],
  replayId: string,
  context: CommandContext,
): readonly ShadowCommand[] => {
  const positions = new Map<string, Position[]>();
  for (const { reaction, position } of released)
    positions.set(reaction, [...(positions.get(reaction) ?? []), position]);
  return [...positions].map(([reaction, ofReaction]) => ({
    dispatch: retryEvents(reaction, ofReaction, 'replay'),
    context: {
      ...context,
      commandId: commandId(derivedId('retry after replay', replayId, reaction, ...ofReaction.map(String))),
      correlationId: replayId,
    },
  }));
};

/**
 * Appends what the run of a confirmed replay has found. What is on the tape already stays as it is, so that an apply that
 * was interrupted is completed by repeating this with a new run.
 */
export const completeReplay = async (
  { store }: Readonly<{ store: EventStore }>,
  { commands, released, request: { replayId } }: ReplayRun,
  context: CommandContext,
): Promise<void> => {
  const { onPosition } = context;
  const known = await readReplay(store, replayId);
  const releases = known.status === 'applying' ? (known.applied.releases ?? []) : [];
  const chosen = releases.map(({ consumer: reaction, position }) => ({
    reaction,
    position: BigInt(position),
  }));
  const append = async ({ dispatch, context: caused }: ShadowCommand): Promise<void> => {
    const { target, stream, command } = dispatch;
    await handle(store, target.decider, target.types)(
      stream,
      command,
      onPosition ? { ...caused, onPosition } : caused,
    );
  };
  for (const command of commands) await append(command);
  for (const command of retriesOf([...released, ...chosen], replayId, context)) await append(command);
  const complete = handle(store, replayDecider, replayEvents);
  await complete(replayStream(replayId), { type: 'CompleteReplay' }, { ...context, correlationId: replayId });
};
