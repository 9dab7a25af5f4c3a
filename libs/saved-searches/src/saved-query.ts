import { ExploreQuery, ExportQuery } from '@tapedeck/explorer/contract';
import { DomainError } from '@tapedeck/kernel';
import { defaultScale, facetFields, facets } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type SearchFilter } from '@tapedeck/search-engine/engine';
import type * as z from 'zod';

/** What a saved search stores of the explorer's address: filters, order and scales. */
const SavedQuery = ExportQuery.extend({ scales: ExploreQuery.shape.scales });
type SavedQuery = z.infer<typeof SavedQuery>;

const names = Object.keys(SavedQuery.shape);

/** Ignores unknown and empty parameters; of repeated ones the first counts, as in the address. */
const parametersOf = (text: string): Readonly<Record<string, string>> => {
  const query = new URLSearchParams(text);
  const given = names.map((name) => [name, (query.get(name) ?? '').trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
};

const defaults: Readonly<Record<string, string>> = {
  has_performance: 'false',
  has_enhanced: 'false',
  sort_by: 'total_pandl',
  sort_order: 'desc',
  ...Object.fromEntries(
    facetFields.flatMap((field) => [
      [`min_${facets[field].parameter}`, String(facets[field].openBounds[0])],
      [`max_${facets[field].parameter}`, String(facets[field].openBounds[1])],
    ]),
  ),
};

const scalesText = (scales: SavedQuery['scales']): string =>
  facetFields
    .filter((field) => scales?.[field] && scales[field] !== defaultScale[field])
    .map((field) => `${field}:${scales?.[field]}`)
    .join(',');

const textOf = (query: SavedQuery): string => {
  const { scales, ...plain } = query;
  const values: Readonly<Record<string, unknown>> = { ...plain, scales: scalesText(scales) };
  const text = new URLSearchParams();
  for (const name of names) {
    const value = String(values[name] ?? '');
    if (value !== '' && value !== defaults[name]) text.set(name, value);
  }
  return text.toString();
};

/**
 * A query in the one form in which it is stored: known parameters in a fixed order, without defaults.
 *
 * @example
 * canonicalQuery('page=3&min_likes=0&sort_by=likes&search=macd'); // 'search=macd&sort_by=likes'
 * @throws DomainError INVALID_SEARCH, RANGE_REVERSED naming the parameter.
 */
export const canonicalQuery = (text: string): string => {
  const read = SavedQuery.safeParse(parametersOf(text));
  if (!read.success) {
    const errors = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    const problem = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new DomainError('invalid', 'INVALID_SEARCH', problem, { errors });
  }
  toSearchFilter(read.data);
  return textOf(read.data);
};

/** The filter of a stored query; null when its parameters are no longer valid. */
export const filterOfSaved = (text: string): SearchFilter | null => {
  const read = SavedQuery.safeParse(parametersOf(text));
  try {
    return read.success ? toSearchFilter(read.data) : null;
  } catch {
    return null;
  }
};
