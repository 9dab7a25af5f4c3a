import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';

/** One slider of the panel. To add a slider, add a line. */
export type Facet = Readonly<{
  field: FacetField;
  label: string;
  unit: '' | '%';
  /** As in "512 without P&L". */
  brief: string;
  /** One arrow key; a page key is ten of them. */
  step: number;
  /** Decimals of a dragged value. */
  digits: number;
  colour: string;
  group: 'performance' | 'popularity';
}>;

const facetTable = {
  totalPandlPercent: { label: 'Total P&L', unit: '%', brief: 'P&L', step: 1, digits: 0, colour: 'pnl' },
  maxDrawdownPercent: {
    label: 'Max drawdown',
    unit: '%',
    brief: 'drawdown',
    step: 1,
    digits: 0,
    colour: 'dd',
  },
  profitFactor: { label: 'Profit factor', unit: '', brief: 'PF', step: 0.1, digits: 2, colour: 'pf' },
  sharpeRatio: { label: 'Sharpe ratio', unit: '', brief: 'Sharpe', step: 0.01, digits: 2, colour: 'sharpe' },
  likes: { label: 'Likes', unit: '', brief: 'likes', step: 100, digits: 0, colour: 'plain' },
  views: { label: 'Views', unit: '', brief: 'views', step: 10, digits: 0, colour: 'plain' },
  comments: { label: 'Comments', unit: '', brief: 'comments', step: 1, digits: 0, colour: 'plain' },
  codeLines: { label: 'Lines of code', unit: '', brief: 'lines', step: 50, digits: 0, colour: 'plain' },
} as const satisfies Record<FacetField, unknown>;

export const facets: readonly Facet[] = facetFields.map((field) => {
  const { colour, ...rest } = facetTable[field];
  return {
    field,
    ...rest,
    colour: `var(--m-${colour})`,
    group: colour === 'plain' ? 'popularity' : 'performance',
  };
});
