import type { Position } from '@tapedeck/eventing';

/** Lets callers wait until a position on the tape has been reached. */
type PositionWaits = Readonly<{
  reached: (position: Position) => void;
  /** False when `timeoutMs` have passed first. */
  waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Resolves every wait with false. */
  close: () => void;
}>;

type Waiter = Readonly<{ position: Position; resolve: (reached: boolean) => void }>;

const createPositionWaits = (): PositionWaits => {
  const waiters = new Set<Waiter>();
  let current: Position = 0n;
  return {
    reached: (position) => {
      current = position;
      for (const waiter of waiters) if (waiter.position <= position) waiter.resolve(true);
    },
    waitFor: (position, timeoutMs) => {
      if (position <= current) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          resolve: (reached) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => waiter.resolve(false), timeoutMs);
        waiters.add(waiter);
      });
    },
    close: () => {
      for (const waiter of waiters) waiter.resolve(false);
    },
  };
};

/** How far the engine has read the tape, for callers that wait for a position and for listeners to changes. */
export type CatchUpState = Readonly<{
  /** Resolves at the first `caughtUp`. */
  ready: Promise<void>;
  isReady: () => boolean;
  waitFor: PositionWaits['waitFor'];
  /** To be called when the tape has been read up to this position. */
  reached: PositionWaits['reached'];
  /** To be called when the engine is at the end of the tape, with the position of its catalogue. */
  caughtUp: (catalogue: Position) => void;
  /** Calls the listener after every change of the catalogue, with its position; returns a function that removes it. */
  onChange: (listener: (position: Position) => void) => () => void;
  close: () => void;
}>;

export const createCatchUpState = (): CatchUpState => {
  const waits = createPositionWaits();
  const listeners = new Set<(position: Position) => void>();
  let isReady = false;
  let reported: Position | undefined;
  let resolveReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });
  return {
    ready,
    isReady: () => isReady,
    waitFor: waits.waitFor,
    reached: waits.reached,
    caughtUp: (catalogue) => {
      isReady = true;
      resolveReady();
      if (catalogue === reported) return;
      reported = catalogue;
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
