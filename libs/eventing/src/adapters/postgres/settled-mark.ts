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
  /**
   * The mark, once it is one: a first look that finds writers at work knows no settled position yet, and
   * 0 would read as an empty tape.
   */
  settled: () => Promise<Position>;
  /** Milliseconds for which the oldest transaction has kept the mark back; 0 when it is not kept back. */
  age: () => number;
}>;

/** Milliseconds between two looks at writers who keep the first mark back. */
const firstPause = 5;

// A transaction that stays open must not make the list grow.
const maxCandidates = 16;

/**
 * The position up to which nothing can appear any more: once every transaction that was writing when
 * a last position was read has ended, whatever it wrote at or before that position is visible.
 */
export const createSettledMark = (look: () => Promise<Settling>, clock: Clock): SettledMark => {
  let mark = 0n;
  let isMark = false;
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
    isMark ||= settled >= 0;
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

  const advance = (): Promise<Position> => {
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };

  return {
    known: () => mark,
    advance,
    settled: async () => {
      let position = await advance();
      while (!isMark) {
        await new Promise((resolve) => setTimeout(resolve, firstPause));
        position = await advance();
      }
      return position;
    },
    age: () => (candidates[0] ? Math.max(0, clock.now() - candidates[0].since) : 0),
  };
};
