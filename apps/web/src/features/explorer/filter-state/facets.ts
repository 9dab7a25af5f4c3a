import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';

/** One slider of the panel. */
export type Facet = Readonly<{
  field: FacetField;
  label: string;
  unit: '' | '%';
  /** As in "512 without P&L". */
  shortName: string;
  /** One arrow key; a page key moves ten steps. */
  step: number;
  /** Decimals of a dragged value. */
  decimals: number;
  colour: string;
  group: 'performance' | 'popularity';
}>;

/** To add a slider, add a row. */
const facetTable = {
  totalPandlPercent: { label: 'Total P&L', unit: '%', shortName: 'P&L', step: 1, decimals: 0, colour: 'pnl' },
  maxDrawdownPercent: {
    label: 'Max drawdown',
    unit: '%',
    shortName: 'drawdown',
    step: 1,
    decimals: 0,
    colour: 'dd',
  },
  profitFactor: { label: 'Profit factor', unit: '', shortName: 'PF', step: 0.1, decimals: 2, colour: 'pf' },
  sharpeRatio: {
    label: 'Sharpe ratio',
    unit: '',
    shortName: 'Sharpe',
    step: 0.01,
    decimals: 2,
    colour: 'sharpe',
  },
  likes: { label: 'Likes', unit: '', shortName: 'likes', step: 100, decimals: 0, colour: 'plain' },
  views: { label: 'Views', unit: '', shortName: 'views', step: 10, decimals: 0, colour: 'plain' },
  comments: { label: 'Comments', unit: '', shortName: 'comments', step: 1, decimals: 0, colour: 'plain' },
  codeLines: { label: 'Lines of code', unit: '', shortName: 'lines', step: 50, decimals: 0, colour: 'plain' },
} as const satisfies Record<FacetField, unknown>;

export const facets: readonly Facet[] = facetFields.map((field) => {
  const { colour, ...facet } = facetTable[field];
  return {
    field,
    ...facet,
    colour: `var(--m-${colour})`,
    group: colour === 'plain' ? 'popularity' : 'performance',
  };
});
