import { addressOf, decodeFilters } from './filter-address.ts';
import type { Filters } from './filters.ts';

const storageKey = 'tapedeck.explorer';

/** Filters and order without the page: a later visit begins at the first one. */
export const storedForm = (filters: Filters): string => addressOf({ ...filters, page: 1 });

export const readStoredFilters = (): Filters => {
  try {
    return decodeFilters(new URLSearchParams(localStorage.getItem(storageKey) ?? ''));
  } catch {
    return decodeFilters(new URLSearchParams());
  }
};

export const storeFilters = (filters: Filters): void => {
  try {
    const form = storedForm(filters);
    if (form) localStorage.setItem(storageKey, form);
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage may be forbidden or full; the address still holds the filters.
  }
};
