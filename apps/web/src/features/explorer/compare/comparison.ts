import type { ComparedStrategy } from '@tapedeck/explorer/contract';
import { facetFields, facets, type Facet, type FacetField } from '@tapedeck/search-engine/contract';
import { formatDay, missing } from '../../../ui/format.ts';
import { figureOf, figureText, toneOf } from '../item-figures.ts';

export type ComparedCell = Readonly<{ text: string; tone: 'gain' | 'loss' | null; isBest: boolean }>;
export type ComparedRow = Readonly<{ name: string; cells: readonly ComparedCell[] }>;

/** The best known value; null if no value is better than another. */
const bestOf = (values: readonly (number | null)[], better: Facet['better']): number | null => {
  const known = values.filter((value) => value !== null);
  if (better === null || new Set(known).size < 2) return null;
  return known.reduce((best, value) => ((better === 'more' ? value > best : value < best) ? value : best));
};

const figureRow = (strategies: readonly ComparedStrategy[], field: FacetField): ComparedRow => {
  const { label, better } = facets[field];
  const values = strategies.map((strategy) => figureOf(strategy, field));
  const best = bestOf(values, better);
  const cells = values.map((value) => ({
    text: figureText(field, value),
    tone: toneOf(field, value),
    isBest: value !== null && value === best,
  }));
  return { name: label, cells };
};

const period = ({ backtesting_range_start: from, backtesting_range_end: to }: ComparedStrategy): string =>
  from === null && to === null ? missing : `${formatDay(from)} – ${formatDay(to)}`;

const facts: readonly Readonly<{ name: string; text: (strategy: ComparedStrategy) => string }>[] = [
  { name: 'Indicators', text: ({ categories }) => categories.join(', ') || missing },
  { name: 'Symbol', text: ({ symbol }) => symbol ?? missing },
  { name: 'Pine version', text: ({ pine_version: version }) => (version === null ? missing : `v${version}`) },
  { name: 'Published', text: (strategy) => formatDay(strategy.publication_date) },
  { name: 'Backtested', text: period },
];

/** First the figures, each with its best value marked, then facts that cannot be ranked. */
export const comparedRows = (strategies: readonly ComparedStrategy[]): readonly ComparedRow[] => [
  ...facetFields.map((field) => figureRow(strategies, field)),
  ...facts.map(({ name, text }) => ({
    name,
    cells: strategies.map((strategy) => ({ text: text(strategy), tone: null, isBest: false })),
  })),
];
