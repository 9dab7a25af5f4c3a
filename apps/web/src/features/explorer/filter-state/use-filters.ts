import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { addressRead, addressWritten, type ExplorerState } from './filters.slice.ts';
import { addressOf, decodeFilters } from './filter-address.ts';
import { readStoredFilters, storeFilters } from './filter-storage.ts';
import type { Filters } from './filters.ts';

const debounce = 300;
const saveDelay = 1_000;

export type StateWithExplorer = Readonly<{ explorer: ExplorerState }>;
export const selectExplorer = (state: StateWithExplorer): ExplorerState => state.explorer;

/**
 * The filters to take up again on arriving at a bare address (D4): the explorer as it was left, else what the
 * browser kept. Null once there is an address, also after going back to a bare one.
 */
export const useLeftAddress = (): string | null => {
  const { search } = useLocation();
  const { filters } = useSelector(selectExplorer);
  const [left, setLeft] = useState<string | null>(
    () => addressOf(filters) || addressOf(readStoredFilters()) || null,
  );
  if (search !== '' && left !== null) setLeft(null);
  return search === '' ? left : null;
};

/** Keeps every change a second later, a return to what was there before as well: the storage may hold something older. */
const useSave = (filters: Filters): void => {
  const latest = useRef(filters);
  const isDue = useRef(false);
  useEffect(() => {
    if (latest.current === filters) return;
    latest.current = filters;
    isDue.current = true;
    const timer = setTimeout(() => {
      isDue.current = false;
      storeFilters(filters);
    }, saveDelay);
    return () => clearTimeout(timer);
  }, [filters]);
  useEffect(() => {
    const flush = (): void => {
      if (isDue.current) storeFilters(latest.current);
      isDue.current = false;
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
};

/**
 * Keeps controls and address in step and returns what the address asks for. Controls change first, the address
 * follows after the debounce; a link or the Back button changes the address first, and the controls follow.
 */
export const useFilters = (): string => {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { filters, settle } = useSelector(selectExplorer);
  const written = useRef<string | null>(null);
  const addressed = decodeFilters(new URLSearchParams(search));
  const query = addressOf(addressed);
  const draft = addressOf(filters);

  useEffect(() => {
    if (query === written.current) return;
    written.current = null;
    dispatch(addressRead(decodeFilters(new URLSearchParams(query))));
  }, [query, dispatch]);
  useEffect(() => {
    if (settle === 'still') return;
    if (draft === query) {
      dispatch(addressWritten(draft));
      return;
    }
    const write = (): void => {
      written.current = draft;
      const inPlace = settle !== 'now';
      void navigate({ search: draft }, { replace: inPlace, preventScrollReset: inPlace });
    };
    const timer = setTimeout(write, settle === 'soon' ? debounce : 0);
    return () => clearTimeout(timer);
  }, [draft, query, settle, navigate, dispatch]);
  useSave(filters);
  return query;
};
