export const explorerRoutes = {
  explore: '/api/strategies/explore',
  filtered: '/api/strategies/datatable/filtered',
  ranges: '/api/strategies/datatable/ranges',
  histogram: '/api/strategies/histogram',
  quantileHistogram: '/api/strategies/quantile-histogram',
  /** Server-sent events: `data: {"position":"…"}` when the catalogue has moved. */
  changes: '/api/strategies/changes',
  brush: '/api/strategies/brush',
  indicatorTotals: '/api/strategies/indicator-totals',
  export: '/api/strategies/export.csv',
  exportRight: '/api/strategies/export-right',
  compare: '/api/strategies/compare',
  similar: (urlId: string) => `/api/strategies/similar/${urlId}`,
} as const;
