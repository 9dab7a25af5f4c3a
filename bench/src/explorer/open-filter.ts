import { toSearchFilter } from '@tapedeck/explorer/engine';

/** Every strategy passes. */
export const openFilter = toSearchFilter({});
