import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { FacetField, Scale, SortField } from '@tapedeck/explorer/contract';
import type { Bounds } from '../../ui/range-thumbs.ts';
import { defaultFilters, longestSearch, tidyBounds, type Filters } from './filters.ts';

/**
 * What the controls of the panel show. The address follows it, and the address alone is what is asked of the
 * server: `soon` after the debounce, `now` at once, `still` when the address already says so.
 */
export type ExplorerState = Readonly<{
  filters: Filters;
  settle: 'now' | 'soon' | 'still';
  /** Scales chosen by hand, by field; the others have their default. */
  scales: Readonly<Partial<Record<FacetField, Scale>>>;
}>;

export const initialExplorerState: ExplorerState = { filters: defaultFilters, settle: 'still', scales: {} };

const changed = (
  state: ExplorerState,
  change: Partial<Filters>,
  settle: ExplorerState['settle'],
): ExplorerState => ({ ...state, filters: { ...state.filters, page: 1, ...change }, settle });

export const explorerSlice = createSlice({
  name: 'explorer',
  initialState: initialExplorerState,
  reducers: {
    searchTyped: (state: ExplorerState, { payload }: PayloadAction<string>) =>
      changed(state, { search: payload.slice(0, longestSearch) }, 'soon'),
    searchSubmitted: (state: ExplorerState): ExplorerState => ({ ...state, settle: 'now' }),
    searchCleared: (state: ExplorerState) => changed(state, { search: '' }, 'now'),
    boundsMoved: (
      state: ExplorerState,
      { payload: { field, bounds } }: PayloadAction<Readonly<{ field: FacetField; bounds: Bounds }>>,
    ) => changed(state, { ranges: { ...state.filters.ranges, [field]: tidyBounds(field, bounds) } }, 'soon'),
    sortChosen: (state: ExplorerState, { payload }: PayloadAction<SortField>) =>
      changed(state, { sortBy: payload }, 'now'),
    orderTurned: (state: ExplorerState) =>
      changed(state, { sortOrder: state.filters.sortOrder === 'asc' ? 'desc' : 'asc' }, 'now'),
    pageTurned: (state: ExplorerState, { payload }: PayloadAction<number>) =>
      changed(state, { page: payload }, 'now'),
    filtersReset: (state: ExplorerState): ExplorerState => ({
      filters: defaultFilters,
      settle: 'now',
      scales: state.scales,
    }),
    addressWritten: (state: ExplorerState): ExplorerState => ({ ...state, settle: 'still' }),
    addressRead: (state: ExplorerState, { payload }: PayloadAction<Filters>): ExplorerState => ({
      ...state,
      filters: payload,
      settle: 'still',
    }),
    scaleChosen: (
      state: ExplorerState,
      { payload: { field, scale } }: PayloadAction<Readonly<{ field: FacetField; scale: Scale }>>,
    ): ExplorerState => ({ ...state, scales: { ...state.scales, [field]: scale } }),
  },
});

export const {
  searchTyped,
  searchSubmitted,
  searchCleared,
  boundsMoved,
  sortChosen,
  orderTurned,
  pageTurned,
  filtersReset,
  addressWritten,
  addressRead,
  scaleChosen,
} = explorerSlice.actions;
