import { describe, expect, it } from '@jest/globals';
import { clampedAfter } from './clamped-cells.ts';

const long = 'x'.repeat(200);
const rows = [
  ['a', long, null, long],
  ['b', 'short', long, long],
  ['c', long, null, 'short'],
];

describe('arrow keys among long values', () => {
  it.each([
    ['ArrowRight', { row: 0, at: 1 }, { row: 0, at: 3 }],
    ['ArrowLeft', { row: 0, at: 3 }, { row: 0, at: 1 }],
    ['ArrowDown', { row: 0, at: 1 }, { row: 2, at: 1 }],
    ['ArrowUp', { row: 2, at: 1 }, { row: 0, at: 1 }],
    ['ArrowDown', { row: 1, at: 3 }, null],
    ['ArrowLeft', { row: 0, at: 1 }, null],
    ['a', { row: 0, at: 1 }, null],
  ])('%s leads from %j to %j', (key, from, to) => {
    expect(clampedAfter(rows, from, key)).toEqual(to);
  });
});
