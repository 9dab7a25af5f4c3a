import { describe, expect, it } from '@jest/globals';
import {
  addressRead,
  addressWritten,
  boundsMoved,
  explorerSlice,
  filtersReset,
  initialExplorerState,
  orderTurned,
  pageTurned,
  scaleChosen,
  searchSubmitted,
  searchTyped,
  sortChosen,
  type ExplorerState,
} from './explorer.slice.ts';
import { defaultFilters } from './filters.ts';

type Action = Parameters<typeof explorerSlice.reducer>[1];
const after = (...actions: readonly Action[]): ExplorerState =>
  actions.reduce(explorerSlice.reducer, initialExplorerState);

describe('the explorer’s controls', () => {
  it.each([
    ['a search', searchTyped('macd')],
    ['a bound', boundsMoved({ field: 'likes', bounds: { low: 5, high: null } })],
    ['a sort', sortChosen('views')],
    ['a direction', orderTurned()],
  ])('go back to the first page with %s', (_name, action) => {
    expect(after(pageTurned(4), action).filters.page).toBe(1);
  });

  it('let typing settle and act at once on a choice', () => {
    expect(after(searchTyped('m')).settle).toBe('soon');
    expect(after(searchTyped('m'), searchSubmitted()).settle).toBe('now');
    expect(after(sortChosen('likes')).settle).toBe('now');
    expect(after(sortChosen('likes'), addressWritten()).settle).toBe('still');
  });

  it('open a bound at its unset value', () => {
    const state = after(boundsMoved({ field: 'maxDrawdownPercent', bounds: { low: 0, high: 100 } }));
    expect(state.filters).toEqual(defaultFilters);
  });

  it('keep one field’s bounds apart from another’s', () => {
    const { ranges } = after(
      boundsMoved({ field: 'likes', bounds: { low: 5, high: null } }),
      boundsMoved({ field: 'views', bounds: { low: null, high: 9 } }),
    ).filters;
    expect([ranges.likes, ranges.views, ranges.comments]).toEqual([
      { low: 5, high: null },
      { low: null, high: 9 },
      { low: null, high: null },
    ]);
  });

  it('follow the address without answering it', () => {
    const read = { ...defaultFilters, search: 'rsi', page: 2 };
    expect(after(searchTyped('x'), addressRead(read))).toMatchObject({ filters: read, settle: 'still' });
  });

  it('are all reset but the scales', () => {
    const state = after(scaleChosen({ field: 'likes', scale: 'log' }), searchTyped('x'), filtersReset());
    expect(state).toEqual({ filters: defaultFilters, settle: 'now', scales: { likes: 'log' } });
  });
});
