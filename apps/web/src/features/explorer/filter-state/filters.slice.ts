import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { FacetField, Scale, SortField } from '@tapedeck/search-engine/contract';
import { tidyDays } from '../../../ui/dates/days.ts';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { addressOf } from './filter-address.ts';
import {
  defaultFilters,
  longestSearch,
  longestSymbol,
  tidyBounds,
  tidyScales,
  withoutFilters,
  type FilterId,
  type Filters,
} from './filters.ts';
import { togglePreset, type Preset } from './presets.ts';

/**
 * What the controls of the panel show. The address follows it, and the address alone is what is asked of the
 * server: `soon` after the debounce, `now` at once, `next` at once and in place of the address before, `still`
 * when the address already says so.
 */
export type ExplorerState = Readonly<{
  filters: Filters;
  settle: 'now' | 'next' | 'soon' | 'still';
  /** Counts the changes that no control has made: what was half typed into one ends with them. */
  takeovers: number;
}>;

export const initialExplorerState: ExplorerState = { filters: defaultFilters, settle: 'still', takeovers: 0 };

const changed = (
  state: ExplorerState,
  change: Partial<Filters>,
  settle: ExplorerState['settle'],
): ExplorerState => ({ ...state, filters: { ...state.filters, page: 1, ...change }, settle });

const taken = (state: ExplorerState, filters: Filters, settle: ExplorerState['settle']): ExplorerState => ({
  filters,
  settle,
  takeovers: state.takeovers + 1,
});

export type DayField = 'published' | 'backtested';
export type FlagField = 'hasPerformance' | 'hasEnhanced';

export const explorerSlice = createSlice({
  name: 'explorer',
  initialState: initialExplorerState,
  reducers: {
    searchTyped: (state: ExplorerState, { payload }: PayloadAction<string>) =>
      changed(state, { search: payload.slice(0, longestSearch) }, 'soon'),
    searchChosen: (state: ExplorerState, { payload }: PayloadAction<string>) =>
      changed(state, { search: payload.slice(0, longestSearch) }, 'now'),
    searchSubmitted: (state: ExplorerState): ExplorerState => ({ ...state, settle: 'now' }),
    boundsMoved: (
      state: ExplorerState,
      { payload }: PayloadAction<Readonly<{ field: FacetField; bounds: Bounds; isDropped?: boolean }>>,
    ) => {
      const ranges = { ...state.filters.ranges, [payload.field]: tidyBounds(payload.field, payload.bounds) };
      return changed(state, { ranges }, payload.isDropped ? 'next' : 'soon');
    },
    symbolTyped: (state: ExplorerState, { payload }: PayloadAction<string>) =>
      changed(state, { symbol: payload.slice(0, longestSymbol) }, 'soon'),
    pineVersionTyped: (state: ExplorerState, { payload }: PayloadAction<number | null>) =>
      changed(state, { pineVersion: payload }, 'soon'),
    daysTyped: (
      state: ExplorerState,
      { payload: { field, days } }: PayloadAction<Readonly<{ field: DayField; days: Filters[DayField] }>>,
    ) => changed(state, { [field]: tidyDays(days) }, 'soon'),
    flagTurned: (state: ExplorerState, { payload }: PayloadAction<FlagField>) =>
      changed(state, { [payload]: !state.filters[payload] }, 'now'),
    presetToggled: (state: ExplorerState, { payload }: PayloadAction<Preset>) =>
      changed(state, togglePreset(state.filters, payload), 'now'),
    filtersRemoved: (state: ExplorerState, { payload }: PayloadAction<readonly FilterId[]>) =>
      taken(state, withoutFilters(state.filters, payload), 'now'),
    sortChosen: (state: ExplorerState, { payload }: PayloadAction<SortField>) =>
      changed(state, { sortBy: payload }, 'now'),
    orderTurned: (state: ExplorerState) =>
      changed(state, { sortOrder: state.filters.sortOrder === 'asc' ? 'desc' : 'asc' }, 'now'),
    pageTurned: (state: ExplorerState, { payload }: PayloadAction<number>) =>
      changed(state, { page: payload }, 'now'),
    scaleChosen: (
      state: ExplorerState,
      { payload: { field, scale } }: PayloadAction<Readonly<{ field: FacetField; scale: Scale }>>,
    ) => {
      const { page, scales } = state.filters;
      return changed(state, { page, scales: tidyScales({ ...scales, [field]: scale }) }, 'now');
    },
    filtersReset: (state: ExplorerState) => taken(state, defaultFilters, 'now'),
    /** The address reads so now; what has been changed since then is still to be written. */
    addressWritten: (state: ExplorerState, { payload }: PayloadAction<string>): ExplorerState =>
      addressOf(state.filters) === payload ? { ...state, settle: 'still' } : state,
    addressRead: (state: ExplorerState, { payload }: PayloadAction<Filters>) =>
      taken(state, payload, 'still'),
  },
});

export const {
  searchTyped,
  searchChosen,
  searchSubmitted,
  boundsMoved,
  symbolTyped,
  pineVersionTyped,
  daysTyped,
  flagTurned,
  presetToggled,
  filtersRemoved,
  sortChosen,
  orderTurned,
  pageTurned,
  scaleChosen,
  filtersReset,
  addressWritten,
  addressRead,
} = explorerSlice.actions;
