import { describe, expect, it } from '@jest/globals';
import {
  addressRead,
  addressWritten,
  boundsMoved,
  daysTyped,
  explorerSlice,
  filtersRemoved,
  filtersReset,
  flagTurned,
  initialExplorerState,
  orderTurned,
  pageTurned,
  pineVersionTyped,
  presetToggled,
  scaleChosen,
  searchChosen,
  searchSubmitted,
  searchTyped,
  sortChosen,
  symbolTyped,
  type ExplorerState,
} from './filters.slice.ts';
import { defaultFilters } from './filters.ts';

const highSharpe = { id: 's', name: 'High Sharpe', ranges: { sharpeRatio: { low: 1.5, high: null } } };

type Action = Parameters<typeof explorerSlice.reducer>[1];
const after = (...actions: readonly Action[]): ExplorerState =>
  actions.reduce(explorerSlice.reducer, initialExplorerState);

describe('the explorer’s controls', () => {
  it.each([
    ['a search', searchTyped('macd')],
    ['a bound', boundsMoved({ field: 'likes', bounds: { low: 5, high: null } })],
    ['an indicator', searchChosen('RSI')],
    ['a symbol', symbolTyped('BTC')],
    ['a Pine version', pineVersionTyped(5)],
    ['a day', daysTyped({ field: 'published', days: { from: '2024-01-01', to: null } })],
    ['a flag', flagTurned('hasEnhanced')],
    ['a preset', presetToggled(highSharpe)],
    ['a chip', filtersRemoved(['likes'])],
    ['a sort', sortChosen('views')],
    ['a direction', orderTurned()],
  ])('go back to the first page with %s', (_name, action) => {
    expect(after(pageTurned(4), action).filters.page).toBe(1);
  });

  it('let typing settle and act at once on a choice', () => {
    expect(after(searchTyped('m')).settle).toBe('soon');
    expect(after(searchTyped('m'), searchSubmitted()).settle).toBe('now');
    expect(after(sortChosen('likes')).settle).toBe('now');
    expect(after(sortChosen('likes'), addressWritten('sort_by=likes')).settle).toBe('still');
  });

  it('do not take an address for written that something newer has overtaken', () => {
    const state = after(sortChosen('likes'), sortChosen('views'), addressWritten('sort_by=likes'));
    expect(state).toMatchObject({ filters: { sortBy: 'views' }, settle: 'now' });
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

  it('are all reset', () => {
    const state = after(
      scaleChosen({ field: 'likes', scale: 'log' }),
      searchTyped('x'),
      flagTurned('hasEnhanced'),
      filtersReset(),
    );
    expect(state).toMatchObject({ filters: defaultFilters, settle: 'now' });
  });

  it('keep the page when only a scale changes', () => {
    const { filters } = after(pageTurned(4), scaleChosen({ field: 'likes', scale: 'log' }));
    expect(filters).toEqual({ ...defaultFilters, page: 4, scales: { likes: 'log' } });
    expect(after(scaleChosen({ field: 'likes', scale: 'quantile' })).filters).toEqual(defaultFilters);
  });

  it('never hold days that contradict each other', () => {
    const days = { from: '2025-01-02', to: '2025-01-01' };
    expect(after(daysTyped({ field: 'backtested', days })).filters).toEqual(defaultFilters);
  });

  it('end what is half typed when something else takes over', () => {
    expect(after(searchTyped('x'), flagTurned('hasEnhanced')).takeovers).toBe(0);
    expect(after(filtersRemoved(['search']), filtersReset(), addressRead(defaultFilters)).takeovers).toBe(3);
  });
});
