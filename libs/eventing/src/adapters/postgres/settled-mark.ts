import type { Clock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import type { Position } from '../../event.ts';

/** The last position handed out, and the transactions that may still write at or before it. */
export type OpenAppends = Readonly<{ lastPosition: Position; writers: readonly string[] }>;

/** A position that becomes the mark as soon as all of its writers have ended. */
type Candidate = { readonly lastPosition: Position; readonly since: number; writers: readonly string[] };

export type SettledMark = Readonly<{
  /** The mark as last computed, without I/O. It never decreases. */
  current: () => Position;
  /**
   * Computes the mark again. Concurrent callers share one query of the database, but not one that began before they
   * called.
   */
  advance: () => Promise<Position>;
  /**
   * As `advance`, but waits until there is a mark. While the first query finds open appends there is none yet, and 0
   * would mean an empty tape.
   */
  whenKnown: () => Promise<Position>;
  /** For how long the oldest open append has kept the mark from advancing; 0 when none does. */
  ageMs: () => number;
}>;

const firstMarkPollIntervalMs = 5;

// Bounds the list while a transaction stays open.
const maxCandidates = 16;

/**
 * The position up to which no event can appear any more. When every transaction that was appending when a last
 * position was read has ended, everything at or before that position is visible.
 */
export const createSettledMark = (readOpenAppends: () => Promise<OpenAppends>, clock: Clock): SettledMark => {
  let mark = 0n;
  let isKnown = false;
  let candidates: readonly Candidate[] = [];
  let running: Promise<Position> | undefined;
  let next: Promise<Position> | undefined;

  const compute = async (): Promise<Position> => {
    const { lastPosition, writers } = await readOpenAppends();
    const open = new Set(writers);
    for (const candidate of candidates) {
      candidate.writers = candidate.writers.filter((writer) => open.has(writer));
    }
    const newest: Candidate = { lastPosition, since: clock.now(), writers };
    const all = [...candidates, newest];
    const settled = all.findLastIndex((candidate) => candidate.writers.length === 0);
    mark = settled < 0 ? mark : (all[settled]?.lastPosition ?? mark);
    isKnown ||= settled >= 0;
    candidates = all.slice(settled + 1).slice(0, maxCandidates);
    return mark;
  };

  const start = (): Promise<Position> => {
    const computation = compute().finally(() => {
      running = undefined;
    });
    running = computation;
    return computation;
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
    current: () => mark,
    advance,
    whenKnown: async () => {
      let position = await advance();
      while (!isKnown) {
        await setTimeout(firstMarkPollIntervalMs);
        position = await advance();
      }
      return position;
    },
    ageMs: () => (candidates[0] ? Math.max(0, clock.now() - candidates[0].since) : 0),
  };
};
