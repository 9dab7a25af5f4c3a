/** The room's search engine, for Nest. */
export const SEARCH_ENGINE = Symbol('SearchEngine');
