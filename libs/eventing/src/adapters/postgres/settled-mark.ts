import type { Clock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import type { Position } from '../../event.ts';
import type { MarkConnection, MarkSession } from './mark-connection.ts';
import type { TapeServer } from './tape-connections.ts';
import { tapeUnavailable } from './tape-errors.ts';

/** A position up to which no event can appear any more: that of an event, or 0. */
export type Mark = Readonly<{
  position: Position;
  /** The last event of the tape, which may be beyond open appends. */
  end: Position;
  server: TapeServer;
}>;

/** A position up to which the tape is settled as soon as all of its writers have ended. */
type Candidate = { readonly lastPosition: Position; readonly since: number; writers: readonly string[] };

export type SettledMark = Readonly<{
  /** The mark as last computed, without I/O; undefined before the first one of a connection. */
  current: () => Mark | undefined;
  /**
   * Computes the mark, and waits for the first one of a connection. Concurrent callers share one query of the database,
   * but not one that began before they called.
   *
   * @throws DomainError TAPE_UNAVAILABLE when an append stays open for too long before the first mark.
   */
  advance: () => Promise<Mark>;
  /** How many times the tape has turned out to be another one. */
  tapeChanges: () => number;
  /** For how long the oldest open append has kept the mark from advancing; 0 when none does. */
  ageMs: () => number;
}>;

const firstMarkPollIntervalMs = 5;

// Bounds the list while a transaction stays open.
const maxCandidates = 16;

/**
 * When every transaction that was appending when a last position was read has ended, everything at or before that
 * position is visible. The mark is the last event there: its position survives a crash, and that of an append that was
 * rolled back may be handed out again. A crash also ends the connection, so a new one starts without candidates.
 */
export const createSettledMark = (
  connection: Pick<MarkConnection, 'session'>,
  clock: Clock,
  firstMarkMs: number,
): SettledMark => {
  let session: MarkSession | undefined;
  let mark: Mark | undefined;
  let candidates: readonly Candidate[] = [];
  let passed: Position = 0n;
  let changes = 0;
  let running: Promise<Mark | undefined> | undefined;
  let next: Promise<Mark | undefined> | undefined;

  const startSession = (opened: MarkSession): void => {
    if (session !== undefined && session.server !== opened.server) {
      changes++;
      passed = 0n;
    }
    session = opened;
    mark = undefined;
    candidates = [];
  };

  const compute = async (): Promise<Mark | undefined> => {
    const opened = await connection.session();
    if (opened !== session) startSession(opened);
    const before = candidates;
    const { lastPosition, writers, lastEvents, end } = await opened.readOpenAppends(
      before.map((candidate) => candidate.lastPosition),
    );
    const open = new Set(writers);
    for (const candidate of before) {
      candidate.writers = candidate.writers.filter((writer) => open.has(writer));
    }
    const all: readonly Candidate[] = [...before, { lastPosition, since: clock.now(), writers }];
    const settled = all.findLastIndex((candidate) => candidate.writers.length === 0);
    candidates = all.slice(settled + 1).slice(0, maxCandidates);
    const position = settled < 0 ? mark?.position : lastEvents[settled];
    if (position === undefined) return undefined;
    // Events do not vanish from the tape that was read before.
    if (position < passed) changes++;
    passed = position;
    mark = { position, end, server: opened.server };
    return mark;
  };

  const start = (): Promise<Mark | undefined> => {
    const computation = compute().finally(() => {
      running = undefined;
    });
    running = computation;
    return computation;
  };

  const computeNext = (): Promise<Mark | undefined> => {
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
    advance: async () => {
      const until = performance.now() + firstMarkMs;
      for (;;) {
        const found = await computeNext();
        if (found) return found;
        if (performance.now() > until) throw tapeUnavailable('read', 'an append is open');
        await setTimeout(firstMarkPollIntervalMs);
      }
    },
    tapeChanges: () => changes,
    ageMs: () => (candidates[0] ? Math.max(0, clock.now() - candidates[0].since) : 0),
  };
};
