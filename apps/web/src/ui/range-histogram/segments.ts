import { binOf } from './range-scale.ts';

/** How many segments of a bar light up: those whose lower edge the value reaches, and always the first. */
export const segmentsLit = (edges: readonly number[], value: number): number =>
  edges.length < 2 ? 0 : binOf(edges, value) + 1;
