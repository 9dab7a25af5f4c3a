import { toSearchFilter } from '@tapedeck/search-engine/engine';

/** Every strategy passes. */
export const openFilter = toSearchFilter({});
