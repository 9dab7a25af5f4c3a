import { describe, expect, it } from '@jest/globals';
import {
  compareAdded,
  compareCleared,
  compareRemoved,
  compareSlice,
  decodeCompared,
} from './compare.slice.ts';

const { reducer } = compareSlice;
const ids = ['AAAAAAA1', 'AAAAAAA2', 'AAAAAAA3', 'AAAAAAA4'];
const full = ids.reduce(
  (state, id) => reducer(state, compareAdded(id)),
  reducer(undefined, { type: 'start' }),
);

describe('compareSlice', () => {
  it('keeps up to four strategies, each once, in the order in which they were added', () => {
    expect(full.ids).toEqual(ids);
    expect(reducer(full, compareAdded('AAAAAAA5')).ids).toEqual(ids);
    const two = reducer(reducer(full, compareRemoved('AAAAAAA1')), compareRemoved('AAAAAAA3'));
    expect(reducer(reducer(two, compareAdded('AAAAAAA2')), compareAdded('AAAAAAA1')).ids).toEqual([
      'AAAAAAA2',
      'AAAAAAA4',
      'AAAAAAA1',
    ]);
  });

  it('removes one strategy or all', () => {
    expect(reducer(full, compareRemoved('ZZZZZZZZ')).ids).toEqual(ids);
    expect(reducer(full, compareCleared()).ids).toEqual([]);
  });

  it.each([
    [null, []],
    ['', []],
    ['AAAAAAA1,AAAAAAA1,<script>,AAAAAAA2', ['AAAAAAA1', 'AAAAAAA2']],
    [[...ids, 'AAAAAAA5'].join(','), ids],
  ])('restores %j as %j', (text, restored) => {
    expect(decodeCompared(text)).toEqual(restored);
  });
});
