/** The room's search engine, for Nest. */
export const SEARCH_ENGINE = Symbol('SearchEngine');
/** The engine together with its feed, for Nest. */
export const EXPLORER_BACKEND = Symbol('ExplorerBackend');
