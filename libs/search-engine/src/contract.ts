export { scales, type Scale } from './catalogue/facet-row.ts';
export * from './catalogue/facets.ts';
export * from './wire/bounds.ts';
export * from './wire/client-config.ts';
export * from './wire/fields.ts';
export * from './wire/filter-query.ts';
export * from './wire/histogram.ts';
