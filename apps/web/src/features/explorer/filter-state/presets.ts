import { facetFields, facets, type Bounds, type FacetField } from '@tapedeck/search-engine/contract';
import type { DayRange } from '../../../ui/dates/days.ts';
import { openBounds, sameBounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { boundsText, daysText } from './filter-text.ts';
import { defaultFilters, type Filters } from './filters.ts';

/** Some filters under one name. A preset replaces the filters that it sets and leaves the others alone. */
export type Preset = Readonly<{
  id: string;
  name: string;
  ranges: Readonly<Partial<Record<FacetField, Bounds>>>;
  published?: DayRange;
}>;

const atLeast = (low: number): Bounds => ({ low, high: null });
const atMost = (high: number): Bounds => ({ low: null, high });

/** To add a preset, add an entry. */
export const presetsOf = (today: Date): readonly Preset[] => [
  { id: 'low-drawdown', name: 'Low drawdown', ranges: { maxDrawdownPercent: atMost(10) } },
  { id: 'high-sharpe', name: 'High Sharpe', ranges: { sharpeRatio: atLeast(1.5) } },
  {
    id: 'steady',
    name: 'Steady earners',
    ranges: { profitFactor: atLeast(1.5), maxDrawdownPercent: atMost(20) },
  },
  { id: 'popular', name: 'Popular', ranges: { likes: atLeast(500) } },
  { id: 'short', name: 'Short scripts', ranges: { codeLines: atMost(50) } },
  {
    id: 'new',
    name: 'New this year',
    ranges: {},
    published: { from: `${today.getUTCFullYear()}-01-01`, to: null },
  },
];

const rangesOf = ({ ranges }: Preset): readonly (readonly [FacetField, Bounds])[] =>
  facetFields.flatMap((field) => {
    const bounds = ranges[field];
    return bounds ? [[field, bounds] as const] : [];
  });

/** Whether every filter that the preset sets has exactly its value. */
export const isPresetOn = (filters: Filters, preset: Preset): boolean =>
  rangesOf(preset).every(([field, bounds]) => sameBounds(filters.ranges[field], bounds)) &&
  (preset.published === undefined ||
    (preset.published.from === filters.published.from && preset.published.to === filters.published.to));

/** Sets the preset's filters, or removes them if they are set already. */
export const togglePreset = (filters: Filters, preset: Preset): Pick<Filters, 'ranges' | 'published'> => {
  const isOn = isPresetOn(filters, preset);
  const ranges = rangesOf(preset).map(([field, bounds]) => [field, isOn ? openBounds : bounds] as const);
  const published = isOn ? defaultFilters.published : preset.published;
  return {
    ranges: { ...filters.ranges, ...Object.fromEntries(ranges) },
    published: preset.published && published ? published : filters.published,
  };
};

/** As in `PF ≥ 1.5, drawdown ≤ 20 %`; a single range has no name here, because the preset's name says it. */
export const presetText = (preset: Preset): string => {
  const parts = rangesOf(preset).map(([field, bounds], _index, all) => {
    const { unit, group, shortName } = facets[field];
    const text = boundsText(unit, bounds);
    if (group === 'popularity') return `${text} ${shortName}`;
    return all.length === 1 ? text : `${shortName} ${text}`;
  });
  if (preset.published) parts.push(daysText(preset.published));
  return parts.join(', ');
};
