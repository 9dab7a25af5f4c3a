import type { Position } from '@tapedeck/eventing';

/** Lets readers wait until a position on the tape has been reached. */
export type PositionWaits = Readonly<{
  reached: (position: Position) => void;
  /** False when `timeoutMs` have gone by first. */
  waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  position: () => Position;
  /** Nobody waits any longer. */
  close: () => void;
}>;

type Waiter = Readonly<{ position: Position; settle: (reached: boolean) => void }>;

export const createPositionWaits = (): PositionWaits => {
  const waiters = new Set<Waiter>();
  let current: Position = 0n;
  return {
    reached: (position) => {
      current = position;
      for (const waiter of waiters) if (waiter.position <= position) waiter.settle(true);
    },
    waitFor: (position, timeoutMs) => {
      if (position <= current) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (reached: boolean): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(reached);
        };
        const waiter: Waiter = { position, settle };
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiters.add(waiter);
      });
    },
    position: () => current,
    close: () => {
      for (const waiter of waiters) waiter.settle(false);
    },
  };
};
