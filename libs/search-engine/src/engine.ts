export { CatalogueFeed, explorerCatalogue } from './catalogue-feed.ts';
export { binOf } from './catalogue/edges.ts';
export { foldText, wordsOf } from './catalogue/text.ts';
export {
  DEMO_CATALOGUE,
  SEARCH_BACKEND,
  SEARCH_ENGINE,
  SEARCH_INDEX_FIGURES,
  type SearchIndexFigures,
} from './search-backend.ts';
export { patientSearchAdmission, SearchAdmission, searchAdmission } from './search-admission.ts';
export { toSearchFilter } from './search-filter.ts';
export type {
  BrushAnswer,
  ExplorerRow,
  NumberRange,
  RequestOptions,
  RowUpdate,
  SearchAnswer,
  SearchEngine,
  SearchFilter,
  SearchHit,
  SearchPage,
} from './search-port.ts';
export { storedCataloguePosition } from './projections/explorer-strategies.ts';
