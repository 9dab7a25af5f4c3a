import { facets, type FacetField } from '../catalogue/facets.ts';

/** Both ends belong to the range; a bound that is null is open. */
export type Bounds = Readonly<{ low: number | null; high: number | null }>;

type GivenBounds = Readonly<{ low?: number | null | undefined; high?: number | null | undefined }>;

const openIfUnset = (bound: number | null | undefined, unset: number): number | null =>
  bound === undefined || bound === unset ? null : bound;

/** A bound that is missing, or equal to the value that is sent when the filter is unset, is open. */
export const effectiveBounds = (field: FacetField, { low, high }: GivenBounds): Bounds => {
  const [lowUnset, highUnset] = facets[field].openBounds;
  return { low: openIfUnset(low, lowUnset), high: openIfUnset(high, highUnset) };
};

/** A range with two open bounds filters nothing and lets unknown values pass. */
export const isInactive = ({ low, high }: Bounds): boolean => low === null && high === null;

/** A range whose effective bounds are reversed is refused. Also for days: `YYYY-MM-DD` sorts as text. */
export const isReversed = <T extends number | string>(low: T | null, high: T | null): boolean =>
  low !== null && high !== null && low > high;
