export type { SavedSearchEvent } from './domain/saved-searches.ts';
export { savedSearchEvents, savedSearchesStream } from './domain/saved-searches.ts';
