import type { FacetField } from '@tapedeck/search-engine/contract';
import type { DayRange } from '../../../ui/dates/days.ts';
import { openBounds, sameBounds, type Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { facets } from './facets.ts';
import { boundsWords, daysWords } from './filter-words.ts';
import { defaultFilters, type Filters } from './filters.ts';

/** A choice of filters under one name. It replaces the filters it names and leaves the others alone. */
export type Preset = Readonly<{
  id: string;
  name: string;
  ranges: Readonly<Partial<Record<FacetField, Bounds>>>;
  published?: DayRange;
}>;

const atLeast = (low: number): Bounds => ({ low, high: null });
const atMost = (high: number): Bounds => ({ low: null, high });

/** To add a preset, add a line. */
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

const named = ({ ranges }: Preset): readonly (readonly [FacetField, Bounds])[] =>
  facets.flatMap(({ field }) => {
    const bounds = ranges[field];
    return bounds ? [[field, bounds] as const] : [];
  });

/** Every filter that the preset names has exactly its value. */
export const isPresetOn = (filters: Filters, preset: Preset): boolean =>
  named(preset).every(([field, bounds]) => sameBounds(filters.ranges[field], bounds)) &&
  (preset.published === undefined ||
    (preset.published.from === filters.published.from && preset.published.to === filters.published.to));

/** Sets what the preset names; takes it back where exactly that is set already. */
export const togglePreset = (filters: Filters, preset: Preset): Pick<Filters, 'ranges' | 'published'> => {
  const isOn = isPresetOn(filters, preset);
  const ranges = named(preset).map(([field, bounds]) => [field, isOn ? openBounds : bounds] as const);
  const published = isOn ? defaultFilters.published : preset.published;
  return {
    ranges: { ...filters.ranges, ...Object.fromEntries(ranges) },
    published: preset.published && published ? published : filters.published,
  };
};

/** What the preset sets, as in `PF ≥ 1.5, drawdown ≤ 20 %`; the name of a single field is in the preset's own. */
export const presetWords = (preset: Preset): string => {
  const words = named(preset).map(([field, bounds], _at, all) => {
    const facet = facets.find((each) => each.field === field);
    const said = boundsWords(facet?.unit ?? '', bounds);
    if (facet?.group === 'popularity') return `${said} ${facet.brief}`;
    return all.length === 1 ? said : `${facet?.brief ?? field} ${said}`;
  });
  if (preset.published) words.push(daysWords(preset.published));
  return words.join(', ');
};
