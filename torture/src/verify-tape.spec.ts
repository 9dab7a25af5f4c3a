import { describe, expect, it } from '@jest/globals';
import { tapeProblems, type ExpectedOnTape, type TapeRow } from './verify-tape.ts';

const row = (position: number, stream: string, version: number, tag?: string): TapeRow => ({
  position: String(position),
  stream,
  version,
  data: tag === undefined ? {} : { tags: [tag] },
  correlation: stream.startsWith('strategy-') ? 'import-1' : 'request',
});

const tape: readonly TapeRow[] = [
  row(1, 'strategy-a', 1),
  row(3, 'favourites-x', 1, 'w1-1'),
  row(4, 'strategy-a', 2),
  row(7, 'favourites-x', 2, 'w1-2'),
];
const expected: ExpectedOnTape = {
  acknowledged: [
    { writer: 'w1', marker: 'w1-1', position: 3n },
    { writer: 'w1', marker: 'w1-2', position: 7n },
  ],
  imports: [{ id: 'import-1', changes: 2 }],
  followed: [1n, 3n, 4n, 7n],
};

describe('the check of the tape', () => {
  it('accepts a tape that has what was acknowledged', () => {
    expect(tapeProblems(tape, expected)).toEqual([]);
  });

  it('reports an acknowledged change that is missing, and the hole in its stream', () => {
    const rows = tape.filter(({ position }) => position !== '3');
    expect(tapeProblems(rows, { ...expected, followed: [1n, 4n, 7n] })).toEqual([
      'favourites-x has version 2 at position 7, not 1',
      'w1-1 was acknowledged but is not on the tape',
    ]);
  });

  it('reports a change that was written twice', () => {
    const rows = [...tape, row(8, 'favourites-x', 3, 'w1-2')];
    expect(tapeProblems(rows, { ...expected, followed: [1n, 3n, 4n, 7n, 8n] })).toEqual([
      'w1-2 stands 2 times on the tape',
    ]);
  });

  it('reports changes of one writer in the wrong order, and a position before the change', () => {
    const swapped = [row(3, 'favourites-x', 1, 'w1-2'), row(7, 'favourites-x', 2, 'w1-1')];
    expect(tapeProblems(swapped, { ...expected, imports: [], followed: [3n, 7n] })).toEqual([
      'w1-1 was acknowledged at position 3, but is at 7',
      'w1-2 stands before an earlier change of the same writer',
    ]);
  });

  it('reports an import that has fewer or more events than it said', () => {
    const imports = [{ id: 'import-1', changes: 3 }];
    expect(tapeProblems(tape, { ...expected, imports })).toEqual([
      'import import-1 reported 3 changes, but the tape has 2',
    ]);
  });

  it.each([
    ['skipped an event', [1n, 4n, 7n], 'a follower read position 4 where the tape has 3'],
    ['read an event twice', [1n, 3n, 3n, 4n, 7n], 'a follower read position 3 where the tape has 4'],
    ['stopped before the end', [1n, 3n, 4n], 'a follower read position nothing where the tape has 7'],
    ['read more than there is', [1n, 3n, 4n, 7n, 9n], 'a follower read 1 events more than the tape has'],
  ])('reports a follower that %s', (_, followed, problem) => {
    expect(tapeProblems(tape, { ...expected, followed })).toContain(problem);
  });
});
