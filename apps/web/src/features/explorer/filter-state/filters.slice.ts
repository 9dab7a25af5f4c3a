import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import {
  effectiveBounds,
  type Bounds,
  type FacetField,
  type Scale,
  type SortField,
} from '@tapedeck/search-engine/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { storedText } from '../../../ui/browser/stored-text.ts';
import {
  addressOf,
  addressWithoutPage,
  decodeFilters,
  defaultFilters,
  maxSearchLength,
  maxSymbolLength,
  normaliseScales,
  withoutFilters,
  type FilterId,
  type Filters,
} from './filters.ts';
import { togglePreset, type Preset } from './presets.ts';

/**
 * How the address follows a change of the controls: as a new entry of the history or in place of the last one, at
 * once or after the debounce (in place). `none`: the address is up to date.
 */
export type AddressUpdate = 'push' | 'replace' | 'debounced' | 'none';

/** What the controls of the panel show. The address follows them, and requests are made from the address alone. */
export type FilterState = Readonly<{
  filters: Filters;
  addressUpdate: AddressUpdate;
  /** Counts changes from outside a control (reset, chip, link, Back): each discards what is half typed. */
  draftResets: number;
}>;

export const initialFilterState: FilterState = {
  filters: defaultFilters,
  addressUpdate: 'none',
  draftResets: 0,
};

const withChange = (
  state: FilterState,
  change: Partial<Filters>,
  addressUpdate: AddressUpdate,
): FilterState => ({ ...state, filters: { ...state.filters, page: 1, ...change }, addressUpdate });

const withReplacement = (
  state: FilterState,
  filters: Filters,
  addressUpdate: AddressUpdate,
): FilterState => ({ filters, addressUpdate, draftResets: state.draftResets + 1 });

export type DayField = 'published' | 'backtested';
export type FlagField = 'hasPerformance' | 'hasEnhanced';

type BoundsChange = Readonly<{ field: FacetField; bounds: Bounds; isDropped?: boolean }>;

export const filtersSlice = createSlice({
  name: 'filterState',
  initialState: initialFilterState,
  reducers: {
    searchTyped: (state: FilterState, { payload }: PayloadAction<string>) =>
      withChange(state, { search: payload.slice(0, maxSearchLength) }, 'debounced'),
    searchChosen: (state: FilterState, { payload }: PayloadAction<string>) =>
      withChange(state, { search: payload.slice(0, maxSearchLength) }, 'push'),
    searchSubmitted: (state: FilterState): FilterState => ({ ...state, addressUpdate: 'push' }),
    boundsChanged: (
      state: FilterState,
      { payload: { field, bounds, isDropped } }: PayloadAction<BoundsChange>,
    ) => {
      const ranges = { ...state.filters.ranges, [field]: effectiveBounds(field, bounds) };
      return withChange(state, { ranges }, isDropped ? 'replace' : 'debounced');
    },
    symbolTyped: (state: FilterState, { payload }: PayloadAction<string>) =>
      withChange(state, { symbol: payload.slice(0, maxSymbolLength) }, 'debounced'),
    pineVersionTyped: (state: FilterState, { payload }: PayloadAction<number | null>) =>
      withChange(state, { pineVersion: payload }, 'debounced'),
    daysTyped: (
      state: FilterState,
      { payload: { field, days } }: PayloadAction<Readonly<{ field: DayField; days: Filters[DayField] }>>,
    ) => withChange(state, { [field]: days }, 'debounced'),
    flagToggled: (state: FilterState, { payload }: PayloadAction<FlagField>) =>
      withChange(state, { [payload]: !state.filters[payload] }, 'push'),
    presetToggled: (state: FilterState, { payload }: PayloadAction<Preset>) =>
      withChange(state, togglePreset(state.filters, payload), 'push'),
    filtersRemoved: (state: FilterState, { payload }: PayloadAction<readonly FilterId[]>) =>
      withReplacement(state, withoutFilters(state.filters, payload), 'push'),
    sortChosen: (state: FilterState, { payload }: PayloadAction<SortField>) =>
      withChange(state, { sortBy: payload }, 'push'),
    orderToggled: (state: FilterState) =>
      withChange(state, { sortOrder: state.filters.sortOrder === 'asc' ? 'desc' : 'asc' }, 'push'),
    pageChosen: (state: FilterState, { payload }: PayloadAction<number>) =>
      withChange(state, { page: payload }, 'push'),
    scaleChosen: (
      state: FilterState,
      { payload: { field, scale } }: PayloadAction<Readonly<{ field: FacetField; scale: Scale }>>,
    ) => {
      const { page, scales } = state.filters;
      return withChange(state, { page, scales: normaliseScales({ ...scales, [field]: scale }) }, 'push');
    },
    filtersReset: (state: FilterState) => withReplacement(state, defaultFilters, 'push'),
    /** Filters that have changed since the address was written still have to be written. */
    addressWritten: (state: FilterState, { payload }: PayloadAction<string>): FilterState =>
      addressOf(state.filters) === payload ? { ...state, addressUpdate: 'none' } : state,
    addressRead: (state: FilterState, { payload }: PayloadAction<Filters>) =>
      withReplacement(state, payload, 'none'),
  },
});

export const {
  searchTyped,
  searchChosen,
  searchSubmitted,
  boundsChanged,
  symbolTyped,
  pineVersionTyped,
  daysTyped,
  flagToggled,
  presetToggled,
  filtersRemoved,
  sortChosen,
  orderToggled,
  pageChosen,
  scaleChosen,
  filtersReset,
  addressWritten,
  addressRead,
} = filtersSlice.actions;

export type StateWithFilters = Readonly<{ filterState: FilterState }>;
export const selectFilterState = (state: StateWithFilters): FilterState => state.filterState;
export const selectFilters = (state: StateWithFilters): Filters => state.filterState.filters;

const debounceMs = 300;
const storeDelayMs = 1_000;
const stored = storedText('tapedeck.explorer');

const storeFilters = (filters: Filters): void => stored.write(addressWithoutPage(filters) || null);

/**
 * The address to restore when the page is opened without filters in its address: the filters as they were left,
 * otherwise those stored in the browser. Null once there was an address with filters, also after going back.
 */
export const useAddressToRestore = (): string | null => {
  const { search } = useLocation();
  const filters = useSelector(selectFilters);
  const [address, setAddress] = useState<string | null>(
    () => addressOf(filters) || addressOf(decodeFilters(stored.read() ?? '')) || null,
  );
  if (search !== '' && address !== null) setAddress(null);
  return search === '' ? address : null;
};

/** Stores each change after a second: also a change back, because the last value may not have been stored yet. */
const useStoredFilters = (filters: Filters): void => {
  const latest = useRef(filters);
  const isPending = useRef(false);
  useEffect(() => {
    if (latest.current === filters) return;
    latest.current = filters;
    isPending.current = true;
    const timer = setTimeout(() => {
      isPending.current = false;
      storeFilters(filters);
    }, storeDelayMs);
    return () => clearTimeout(timer);
  }, [filters]);
  useEffect(() => {
    const flush = (): void => {
      if (isPending.current) storeFilters(latest.current);
      isPending.current = false;
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
};

/** The state of an entry of the history that this page has written. */
type WrittenEntry = Readonly<{ writeId: string; address: string }>;

const writeIdOf = (state: unknown): string | undefined => (state as Partial<WrittenEntry> | null)?.writeId;

/**
 * Keeps controls and address in sync and returns the address. Usually the controls change first and the address
 * follows; with a link or the Back button the address changes first and the controls follow.
 */
export const useFilterAddress = (): string => {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const { filters, addressUpdate } = useSelector(selectFilterState);
  // The entry that is rendered, if it is one of these, and those written since: some are never rendered.
  const written = useRef<readonly WrittenEntry[]>([]);
  const rendered = useRef<string | null>(null);
  const address = addressOf(decodeFilters(search));
  const wanted = addressOf(filters);
  const writeId = writeIdOf(state);

  // Before the browser paints: no control is shown without its filter.
  useLayoutEffect(() => {
    const isSame = address === rendered.current;
    rendered.current = address;
    const index = written.current.findIndex((entry) => entry.writeId === writeId);
    if (index >= 0) {
      written.current = written.current.slice(index);
      return;
    }
    written.current = [];
    // Another entry with the same address is one with a fragment, which changes no filter.
    if (!isSame) dispatch(addressRead(decodeFilters(address)));
  }, [address, writeId, dispatch]);
  useEffect(() => {
    if (addressUpdate === 'none') return;
    const last = written.current.at(-1);
    const isUnderWay = last !== undefined && last.writeId !== writeId;
    if (wanted === (isUnderWay ? last.address : address)) {
      if (!isUnderWay) dispatch(addressWritten(wanted));
      return;
    }
    const write = (): void => {
      const entry = { writeId: nanoid(), address: wanted };
      written.current = [...written.current, entry];
      const replace = addressUpdate !== 'push';
      void navigate({ search: wanted }, { replace, state: entry, preventScrollReset: replace });
    };
    const timer = setTimeout(write, addressUpdate === 'debounced' ? debounceMs : 0);
    return () => clearTimeout(timer);
  }, [wanted, address, writeId, addressUpdate, navigate, dispatch]);
  useStoredFilters(filters);
  return address;
};
