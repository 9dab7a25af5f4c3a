import { WaitingFor, type Effect, type ReadStream, type RecordedEvent } from '@tapedeck/eventing';
import { replayStream } from '../events.ts';
import { replays } from '../run/recorded-replays.ts';

/** @throws WaitingFor while the replay that has brought one of the events is being applied */
const assertReplayOver = async (events: readonly RecordedEvent[], read: ReadStream): Promise<void> => {
  const ids = new Set(events.flatMap(({ metadata }) => metadata['replayId'] ?? []));
  for (const id of ids) {
    const { status } = await read(replays, replayStream(id));
    if (status === 'applying') throw new WaitingFor(`the replay ${id}, which is being applied`);
  }
};

/** What a replay appends is what was confirmed: the effect begins with its events when it is complete. */
export const afterReplay = (effect: Effect): Effect => {
  const { run, runTogether } = effect;
  return {
    ...effect,
    run: async (event, context) => {
      await assertReplayOver([event], context.read);
      return run(event, context);
    },
    ...(runTogether && {
      runTogether: async (events, context) => {
        await assertReplayOver(events, context.read);
        return runTogether(events, context);
      },
    }),
  };
};
