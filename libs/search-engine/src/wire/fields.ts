import * as z from 'zod';
import { facetFields, facets, type Facet, type FacetField, type FacetSort } from '../catalogue/facets.ts';

export const FacetName = z.enum(facetFields);

/** Pages and lists end after this many rows. */
export const maxWindow = 10_000;

export type SortField = FacetSort | 'publication_date';
export type SortOrder = 'asc' | 'desc';
type Sort = Readonly<{ column: FacetField | 'publicationDate'; name: string }>;

const sortsOf = (group: Facet['group']): readonly (readonly [string, Sort])[] =>
  facetFields.flatMap((column) => {
    const { sort, group: own } = facets[column];
    return sort && own === group ? [[sort.field, { column, name: sort.name }] as const] : [];
  });

/** What a list can be sorted by, in the order of its menu. */
export const sorts = Object.fromEntries([
  ...sortsOf('performance'),
  ...sortsOf('more'),
  ['publication_date', { column: 'publicationDate', name: 'Publication Date' }],
  ...sortsOf('popularity'),
]) as Readonly<Record<SortField, Sort>>; // `Object.fromEntries` forgets the names.

export const sortFields = Object.keys(sorts) as readonly SortField[];
