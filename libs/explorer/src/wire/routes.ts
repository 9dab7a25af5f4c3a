/** In the stream of changes (`platformRoutes.changes`): the catalogue has another position. */
export const catalogueTopic = 'catalogue';

export const explorerRoutes = {
  explore: '/api/strategies/explore',
  filtered: '/api/strategies/datatable/filtered',
  ranges: '/api/strategies/datatable/ranges',
  histogram: '/api/strategies/histogram',
  quantileHistogram: '/api/strategies/quantile-histogram',
  brush: '/api/strategies/brush',
  indicatorTotals: '/api/strategies/indicator-totals',
  export: '/api/strategies/export.csv',
  exportRight: '/api/strategies/export-right',
  compare: '/api/strategies/compare',
  places: (urlId: string) => `/api/strategies/places/${urlId}`,
  /** For visitors. */
  teaser: '/api/strategies/teaser',
  similar: (urlId: string) => `/api/strategies/similar/${urlId}`,
} as const;
