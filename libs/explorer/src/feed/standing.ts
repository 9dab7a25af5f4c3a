import type { Position } from '@tapedeck/eventing';
import { createPositionWaits, type PositionWaits } from './position-waits.ts';

/** How far the engine is, for those who wait for it and those who listen. */
export type Standing = Readonly<{
  /** Settles with the first `caughtUp`. */
  ready: Promise<void>;
  isReady: () => boolean;
  waitFor: PositionWaits['waitFor'];
  /** The tape has been read so far. */
  reached: PositionWaits['reached'];
  /** The engine is at the end of the tape, and its catalogue at this position. */
  caughtUp: (catalogue: Position) => void;
  /** Calls after every change of the catalogue, with its position; returns how to end that. */
  onChange: (listener: (position: Position) => void) => () => void;
  close: () => void;
}>;

export const createStanding = (): Standing => {
  const waits = createPositionWaits();
  const listeners = new Set<(position: Position) => void>();
  let isReady = false;
  let told: Position | undefined;
  let tellReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  return {
    ready,
    isReady: () => isReady,
    waitFor: waits.waitFor,
    reached: waits.reached,
    caughtUp: (catalogue) => {
      isReady = true;
      tellReady();
      if (catalogue === told) return;
      told = catalogue;
      for (const listener of listeners) listener(catalogue);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      waits.close();
      listeners.clear();
    },
  };
};
