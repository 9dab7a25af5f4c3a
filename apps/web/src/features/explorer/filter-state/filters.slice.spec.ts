import { describe, expect, it } from '@jest/globals';
import {
  addressRead,
  addressWritten,
  boundsChanged,
  daysTyped,
  filtersSlice,
  filtersRemoved,
  filtersReset,
  flagToggled,
  initialFilterState,
  orderToggled,
  pageChosen,
  pineVersionTyped,
  presetToggled,
  scaleChosen,
  searchChosen,
  searchSubmitted,
  searchTyped,
  sortChosen,
  symbolTyped,
  type FilterState,
} from './filters.slice.ts';
import { defaultFilters } from './filters.ts';

const highSharpe = { id: 's', name: 'High Sharpe', ranges: { sharpeRatio: { low: 1.5, high: null } } };

type Action = Parameters<typeof filtersSlice.reducer>[1];
const after = (...actions: readonly Action[]): FilterState =>
  actions.reduce(filtersSlice.reducer, initialFilterState);

describe('filtersSlice', () => {
  it.each([
    ['a search', searchTyped('macd')],
    ['a bound', boundsChanged({ field: 'likes', bounds: { low: 5, high: null } })],
    ['an indicator', searchChosen('RSI')],
    ['a symbol', symbolTyped('BTC')],
    ['a Pine version', pineVersionTyped(5)],
    ['a day', daysTyped({ field: 'published', days: { from: '2024-01-01', to: null } })],
    ['a flag', flagToggled('hasEnhanced')],
    ['a preset', presetToggled(highSharpe)],
    ['a chip', filtersRemoved(['likes'])],
    ['a sort', sortChosen('views')],
    ['a direction', orderToggled()],
  ])('goes back to the first page with %s', (_name, action) => {
    expect(after(pageChosen(4), action).filters.page).toBe(1);
  });

  it('debounces the address while typing and writes it at once after a choice', () => {
    expect(after(searchTyped('m')).addressUpdate).toBe('debounced');
    expect(after(searchTyped('m'), searchSubmitted()).addressUpdate).toBe('push');
    expect(after(sortChosen('likes')).addressUpdate).toBe('push');
    expect(after(sortChosen('likes'), addressWritten('sort_by=likes')).addressUpdate).toBe('none');
  });

  it('still has to write the address when the filters have changed since the last one was written', () => {
    const state = after(sortChosen('likes'), sortChosen('views'), addressWritten('sort_by=likes'));
    expect(state).toMatchObject({ filters: { sortBy: 'views' }, addressUpdate: 'push' });
  });

  it('opens a bound at its unset value', () => {
    const state = after(boundsChanged({ field: 'maxDrawdownPercent', bounds: { low: 0, high: 100 } }));
    expect(state.filters).toEqual(defaultFilters);
  });

  it('changes the bounds of one field only', () => {
    const { ranges } = after(
      boundsChanged({ field: 'likes', bounds: { low: 5, high: null } }),
      boundsChanged({ field: 'views', bounds: { low: null, high: 9 } }),
    ).filters;
    expect([ranges.likes, ranges.views, ranges.comments]).toEqual([
      { low: 5, high: null },
      { low: null, high: 9 },
      { low: null, high: null },
    ]);
  });

  it('takes over the filters of the address without writing it again', () => {
    const read = { ...defaultFilters, search: 'rsi', page: 2 };
    expect(after(searchTyped('x'), addressRead(read))).toMatchObject({
      filters: read,
      addressUpdate: 'none',
    });
  });

  it('resets all filters and scales', () => {
    const state = after(
      scaleChosen({ field: 'likes', scale: 'log' }),
      searchTyped('x'),
      flagToggled('hasEnhanced'),
      filtersReset(),
    );
    expect(state).toMatchObject({ filters: defaultFilters, addressUpdate: 'push' });
  });

  it('keeps the page when only a scale changes', () => {
    const { filters } = after(pageChosen(4), scaleChosen({ field: 'likes', scale: 'log' }));
    expect(filters).toEqual({ ...defaultFilters, page: 4, scales: { likes: 'log' } });
    expect(after(scaleChosen({ field: 'likes', scale: 'quantile' })).filters).toEqual(defaultFilters);
  });

  it('keeps reversed days, so that nothing typed is lost', () => {
    const days = { from: '2025-01-02', to: '2025-01-01' };
    expect(after(daysTyped({ field: 'backtested', days })).filters).toEqual({
      ...defaultFilters,
      backtested: days,
    });
  });

  it('discards drafts on a change from outside a control', () => {
    expect(after(searchTyped('x'), flagToggled('hasEnhanced')).draftResets).toBe(0);
    expect(after(filtersRemoved(['search']), filtersReset(), addressRead(defaultFilters)).draftResets).toBe(
      3,
    );
  });
});
