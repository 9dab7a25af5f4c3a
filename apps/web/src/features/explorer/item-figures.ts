import type { StrategyListItem } from '@tapedeck/explorer/contract';
import { facets, type FacetField } from '@tapedeck/search-engine/contract';
import {
  formatGain,
  formatPercent,
  formatRatio,
  formatWhole,
  missing,
  parseNumeric,
} from '../../ui/format.ts';

/** The value of a facet in an item of a list. */
export const figureOf = (strategy: StrategyListItem, field: FacetField): number | null => {
  const { item } = facets[field];
  return 'text' in item ? parseNumeric(strategy[item.text]) : strategy[item.number];
};

const formats = { percent: formatPercent, ratio: formatRatio, count: formatWhole } as const;

export const figureText = (field: FacetField, value: number | null): string => {
  if (value === null) return missing;
  const { isGain, kind } = facets[field];
  return isGain ? formatGain(value) : formats[kind](value);
};

export const toneOf = (field: FacetField, value: number | null): 'gain' | 'loss' | null =>
  !facets[field].isGain || value === null || value === 0 ? null : value > 0 ? 'gain' : 'loss';
