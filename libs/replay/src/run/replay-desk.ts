import { DomainError } from '@tapedeck/kernel';
import type { ReplayRequest } from './replay-request.ts';
import { runReplay, type ReplayPorts, type ReplayRun } from './run-replay.ts';

/** Runs replays, a few at the same time: each reads a lot. */
export type ReplayDesk = Readonly<{
  ports: ReplayPorts;
  /** @throws DomainError REPLAYS_BUSY, and as `runReplay` */
  run: (request: ReplayRequest) => Promise<ReplayRun>;
}>;

/** For Nest: the `ReplayDesk`. */
export const REPLAY_DESK = Symbol('ReplayDesk');

const maxRunning = 2;

const busy = (): DomainError =>
  new DomainError(
    'too-many',
    'REPLAYS_BUSY',
    'Other replays are being computed at the moment: try again in a few seconds.',
    { retryAfterSeconds: 5 },
  );

export const createReplayDesk = (ports: ReplayPorts): ReplayDesk => {
  let running = 0;
  return {
    ports,
    run: async (request) => {
      if (running >= maxRunning) throw busy();
      running++;
      try {
        return await runReplay(ports, request);
      } finally {
        running--;
      }
    },
  };
};
