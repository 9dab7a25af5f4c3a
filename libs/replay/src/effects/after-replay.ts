import { WaitingFor, type Effect, type ReadStream, type RecordedEvent } from '@tapedeck/eventing';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import { replays, replayStream } from '../domain/replay.ts';

/** @throws WaitingFor while the replay that has brought one of the events is being applied */
const assertReplayOver = async (events: readonly RecordedEvent[], read: ReadStream): Promise<void> => {
  const ids = new Set(events.flatMap(({ metadata }) => metadata['replayId'] ?? []));
  for (const id of ids) {
    const { status } = await read(replays, replayStream(id));
    if (status === 'applying') throw new WaitingFor(`the replay ${id}, which is being applied`);
  }
};

const receivedType = 'StripeEventReceived' satisfies StripeEventReceived['type'];

/**
 * The events of Stripe that a replay appends were handled in it: an effect of them begins when everything is appended that
 * was confirmed. Other effects do not wait.
 */
export const afterReplay = (effect: Effect): Effect => {
  const { run, runTogether, types } = effect;
  if (!types.includes(receivedType)) return effect;
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
