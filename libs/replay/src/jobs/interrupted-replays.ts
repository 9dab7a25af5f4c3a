import { commandContext, readEvents } from '@tapedeck/eventing';
import { commandId, derivedId, type Clock } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { replayEvents, replayStream } from '../domain/replay.ts';
import { completeReplay, readReplay } from '../run/recorded-replays.ts';
import { runReplay, type ReplayPorts } from '../run/run-replay.ts';

export type InterruptedReplaysPorts = ReplayPorts & Readonly<{ clock: Clock; logger: Logger }>;

const intervalMs = 60_000;
/** Longer than applying takes: the process that was applying it has most likely ended. */
const abandonedMs = 60_000;

const system = { id: 'system', kind: 'system' } as const;

const abandonedSql = `
  select replay_id from payment_replays where status = 'applying' and applied_at < $1 order by position`;

const completeOne = async (ports: InterruptedReplaysPorts, replayId: string): Promise<void> => {
  const { store, clock, logger } = ports;
  const known = await readReplay(store, replayId);
  const events = await readEvents(store, replayStream(replayId), replayEvents, { form: 'sealed' });
  const confirmed = events.find(({ type }) => type === 'ReplayApplied');
  if (known.status !== 'applying' || !confirmed) return;
  const { mode, target, at } = known.tried;
  const { actorId: id, actorKind: kind } = confirmed.metadata;
  const run = await runReplay(ports, { replayId, mode, target, at, actor: { id, kind } });
  const causedBy = {
    commandId: commandId(derivedId('complete replay', replayId)),
    causationId: confirmed.id,
  };
  await completeReplay(ports, run, commandContext({ actor: system, clock, ...causedBy }));
  logger.warn({ replayId }, 'a replay was interrupted while it was applied, and has been completed');
};

/**
 * Completes replays that were confirmed by a process that has ended since: until then the effects of what they have
 * appended wait. One that fails does not keep the others from being completed.
 */
export const interruptedReplays = (ports: InterruptedReplaysPorts): Job => ({
  name: 'interrupted-replays',
  intervalMs,
  run: async ({ now, signal }) => {
    const before = new Date(Date.parse(now) - abandonedMs);
    const { rows } = await ports.databases.tapedeck.query<{ replay_id: string }>(abandonedSql, [before]);
    const failed: unknown[] = [];
    for (const { replay_id: replayId } of rows) {
      if (signal.aborted) return;
      await completeOne(ports, replayId).catch((error: unknown) => {
        ports.logger.warn(
          { err: error, replayId },
          'an interrupted replay cannot be completed at the moment',
        );
        failed.push(error);
      });
    }
    if (failed.length > 0) throw failed[0];
  },
});
