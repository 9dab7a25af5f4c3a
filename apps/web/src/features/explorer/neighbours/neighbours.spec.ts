import { describe, expect, it } from '@jest/globals';
import type { StrategyList } from '@tapedeck/explorer/contract';
import { furtherPages, neighboursOf, pageOf, type ResultPages } from './neighbours.ts';
import { placeOf, stateOf, type ResultPlace } from './result-place.ts';

/** Of the ids `1`, `2`, … and their page; only id and title are read. */
const page = (number: number, total: number): StrategyList => {
  const first = (number - 1) * 12 + 1;
  const ids = Array.from({ length: Math.max(0, Math.min(12, total - first + 1)) }, (_, i) =>
    String(first + i),
  );
  const strategies = ids.map((id) => ({ url_id: id, title: `Strategy ${id}` }));
  return { strategies, total } as StrategyList; // The other fields do not matter here.
};
const at = (position: number): ResultPlace => ({ query: 'search=rsi', position });
const pages = (current: StrategyList, further: Partial<ResultPages> = {}): ResultPages => ({
  before: undefined,
  current,
  after: undefined,
  ...further,
});
const ids = (found: ReturnType<typeof neighboursOf>) =>
  found && [found.previous?.urlId ?? found.previous, found.next?.urlId ?? found.next, found.number];

describe('the neighbours of a strategy in a result', () => {
  it('are on the same page within it, with their own places', () => {
    const found = neighboursOf(pages(page(2, 40)), at(15), '16');
    expect(found).toEqual({
      previous: { urlId: '15', title: 'Strategy 15', place: at(14) },
      next: { urlId: '17', title: 'Strategy 17', place: at(16) },
      number: 16,
      total: 40,
    });
    expect(furtherPages({ current: page(2, 40) }, at(15), '16')).toEqual({ before: null, after: null });
  });

  it('are on the pages before and after it at its edges', () => {
    expect(furtherPages({ current: page(2, 40) }, at(12), '13')).toEqual({ before: 1, after: null });
    expect(ids(neighboursOf(pages(page(2, 40)), at(12), '13'))).toEqual([undefined, '14', 13]);
    const before = page(1, 40);
    expect(ids(neighboursOf(pages(page(2, 40), { before }), at(12), '13'))).toEqual(['12', '14', 13]);
    expect(furtherPages({ current: page(2, 40) }, at(23), '24')).toEqual({ before: null, after: 3 });
    const after = page(3, 40);
    expect(ids(neighboursOf(pages(page(2, 40), { after }), at(23), '24'))).toEqual(['23', '25', 24]);
  });

  it('end with the result', () => {
    expect(ids(neighboursOf(pages(page(1, 40)), at(0), '1'))).toEqual([null, '2', 1]);
    expect(ids(neighboursOf(pages(page(4, 40)), at(39), '40'))).toEqual(['39', null, 40]);
    expect(ids(neighboursOf(pages(page(2, 24)), at(23), '24'))).toEqual(['23', null, 24]);
    expect(ids(neighboursOf(pages(page(1, 1)), at(0), '1'))).toEqual([null, null, 1]);
  });

  it('end where the list of the server ends', () => {
    const last = page(833, 20_000);
    expect(furtherPages({ current: last }, at(9_995), '9996')).toEqual({ before: null, after: null });
    expect(neighboursOf(pages(last), at(9_995), '9996')).toMatchObject({ next: null, total: 10_000 });
  });

  it('follow a strategy that has moved on its page, and are unknown when it has left the page', () => {
    expect(ids(neighboursOf(pages(page(2, 40)), at(13), '18'))).toEqual(['17', '19', 18]);
    expect(neighboursOf(pages(page(2, 40)), at(13), '30')).toBeNull();
    expect(
      neighboursOf({ before: undefined, current: undefined, after: undefined }, at(13), '14'),
    ).toBeNull();
  });
});

describe('the place of a strategy', () => {
  it('is read from the state of the history as it was written', () => {
    expect(placeOf(stateOf(at(25)))).toEqual(at(25));
    expect(pageOf(at(0))).toBe(1);
    expect(pageOf(at(11))).toBe(1);
    expect(pageOf(at(12))).toBe(2);
  });

  it.each([null, undefined, 'x', {}, { result: {} }, { result: { query: 'a', position: -1 } }])(
    'is none in %j',
    (state) => {
      expect(placeOf(state)).toBeNull();
    },
  );
  it('is none with a position that is not a whole number', () => {
    expect(placeOf({ result: { query: '', position: 1.5 } })).toBeNull();
    expect(placeOf({ result: { query: 1, position: 1 } })).toBeNull();
  });
});
