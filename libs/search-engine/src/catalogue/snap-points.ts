import { symexp, symlog } from './edges.ts';
import type { Scale } from './facet-row.ts';
import { facets, type FacetField } from './facets.ts';

/** More snap points cost more than they help: 120 make a slice of a million rows 39 KB instead of 28. */
const targetSnapPoints = 80;

/** The value at a share of the distance from low to high, along the slider's scale. */
const between = (low: number, high: number, share: number, scale: Scale): number =>
  scale === 'linear'
    ? low + (high - low) * share
    : symexp(symlog(low) + (symlog(high) - symlog(low)) * share);

/** Rounds to three significant digits, and to the precision of the field. */
const readable = (value: number, field: FacetField): number => {
  const units = Math.round(Number(value.toPrecision(3)) * facets[field].unitsPerOne);
  return units / facets[field].unitsPerOne + 0;
};

/**
 * The values to which the thumbs of a field's slider snap while they are dragged, ascending: every edge of its
 * bins, and readable values that divide each bin evenly.
 */
export const snapPointsOf = (
  field: FacetField,
  scale: Scale,
  edges: readonly number[],
): readonly number[] => {
  const parts = Math.max(1, Math.round(targetSnapPoints / (edges.length - 1)));
  return edges.flatMap((edge, at) => {
    const next = edges[at + 1];
    if (next === undefined) return [edge];
    const inner = Array.from({ length: parts - 1 }, (_, part) =>
      readable(between(edge, next, (part + 1) / parts, scale), field),
    );
    return [edge, ...new Set(inner.filter((value) => value > edge && value < next))];
  });
};
