import type { Clock } from '@tapedeck/kernel';
import type { Position } from '../../event.ts';

/** The last position handed out, and the transactions that may still be writing at or before it. */
export type Settling = Readonly<{ lastPosition: Position; writers: readonly string[] }>;

type Candidate = { readonly lastPosition: Position; readonly since: number; writers: readonly string[] };

export type SettledMark = Readonly<{
  /** The mark as last seen; it never goes back. */
  known: () => Position;
  /** Looks again. Concurrent callers share a look, but never one that began before they called. */
  advance: () => Promise<Position>;
  /** Milliseconds for which the oldest transaction has kept the mark back; 0 when it is not kept back. */
  age: () => number;
}>;

// A transaction that stays open must not make the list grow.
const maxCandidates = 16;

/**
 * The position up to which nothing can appear any more: once every transaction that was writing when
 * a last position was read has ended, whatever it wrote at or before that position is visible.
 */
export const createSettledMark = (look: () => Promise<Settling>, clock: Clock): SettledMark => {
  let mark = 0n;
  let candidates: readonly Candidate[] = [];
  let running: Promise<Position> | undefined;
  let next: Promise<Position> | undefined;

  const lookAgain = async (): Promise<Position> => {
    const { lastPosition, writers } = await look();
    const alive = new Set(writers);
    for (const candidate of candidates) {
      candidate.writers = candidate.writers.filter((writer) => alive.has(writer));
    }
    const now: Candidate = { lastPosition, since: clock.now(), writers };
    const all = [...candidates, now];
    const settled = all.findLastIndex((candidate) => candidate.writers.length === 0);
    mark = settled < 0 ? mark : (all[settled]?.lastPosition ?? mark);
    candidates = all.slice(settled + 1).slice(0, maxCandidates);
    return mark;
  };

  const start = (): Promise<Position> => {
    const look = lookAgain().finally(() => {
      running = undefined;
    });
    running = look;
    return look;
  };

  return {
    known: () => mark,
    advance: () => {
      if (!running) return start();
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    age: () => (candidates[0] ? Math.max(0, clock.now() - candidates[0].since) : 0),
  };
};
