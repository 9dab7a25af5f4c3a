import type { BrushSlice } from '@tapedeck/explorer/contract';
import type { FacetField, Scale } from '@tapedeck/search-engine/contract';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { foundIn, readSlice, type BrushCells, type Found, type KnownRange } from './brush-slice.ts';

/** What a range that is being moved, or was just moved, finds. */
export type Brushed = Found &
  Readonly<{
    field: FacetField;
    /** Equal for filters that find the same. */
    key: string;
    scales: Readonly<Record<FacetField, Scale>>;
  }>;

export type SliceRequest = Readonly<{
  /** Null when there is none to be had. */
  slice: Promise<BrushSlice | null>;
  /** Nobody waits for it, or needs it kept, any longer. */
  giveUp: () => void;
}>;

export type SliceWanted = Readonly<{
  field: FacetField;
  /** Equal for slices that are the same. */
  key: string;
  /** Of the field's histogram as it is drawn. */
  edges: readonly number[];
  /** The key of all filters with these bounds for the field. */
  keyWith: (bounds: Bounds) => string;
  /** What is on the screen, where it answers the present filters; and which catalogue has answered. */
  known: (KnownRange & Readonly<{ position: string }>) | null;
  request: () => SliceRequest;
}>;

export type Brush = Readonly<{
  subscribe: (listener: () => void) => () => void;
  /** Stays until an answer for the same filters is there: bars never fall back to older counts. */
  now: () => Brushed | null;
  /** What stays of a slider that nobody holds any longer. */
  released: () => Brushed | null;
  /** How many are found with the bounds as the field has them now; null where that is not known exactly. */
  totalFor: (field: FacetField) => number | null;
  stopsOf: (field: FacetField) => readonly number[] | null;
  /** Takes a slice for a slider that is about to be moved. Only one is wanted at a time. */
  want: (wanted: SliceWanted) => void;
  move: (field: FacetField, bounds: Bounds) => void;
  release: () => void;
  takeBack: () => void;
  /** An answer says what these counts said. */
  answered: (brushed: Brushed) => void;
  /** Other filters have changed since; there is nothing newer yet. */
  outdated: (brushed: Brushed) => void;
  /** Nobody looks any longer. */
  leave: () => void;
}>;

type Shown = Readonly<{
  brushed: Brushed | null;
  /** Whether it is for the bounds as they were last moved. */
  isExact: boolean;
}>;
type Want = SliceWanted & {
  readonly giveUp: () => void;
  known: SliceWanted['known'];
  cells: BrushCells | null;
  position: string;
  isFailed: boolean;
};
type Move = Readonly<{ field: FacetField; bounds: Bounds; isHeld: boolean; before: Shown }>;

const nothing: Shown = { brushed: null, isExact: false };

/** Between the sliders, which say how they are moved, and all that shows a count. */
export const createBrush = (): Brush => {
  const listeners = new Set<() => void>();
  let want: Want | null = null;
  let move: Move | null = null;
  let shown = nothing;

  const put = (next: Shown): void => {
    shown = next;
    listeners.forEach((listener) => listener());
  };
  const brushedTo = ({ field, bounds }: Move): Brushed | null => {
    if (!want?.cells || want.field !== field) return null;
    const { cells, keyWith, position } = want;
    // Counts of two catalogues must not be added up.
    const known = want.known?.position === position ? want.known : null;
    const found = foundIn(cells, bounds, known);
    return found && { ...found, field, key: keyWith(bounds), scales: cells.scales };
  };
  const show = (to: Move): void => {
    const brushed = brushedTo(to);
    put({ brushed: brushed ?? shown.brushed, isExact: brushed !== null });
  };
  const receive = (mine: Want, slice: BrushSlice | null): void => {
    if (mine !== want) return;
    mine.cells = slice && readSlice(slice, mine.edges);
    mine.position = slice?.meta.position ?? '';
    mine.isFailed = mine.cells === null;
    if (move?.field === mine.field) show(move);
  };
  const drop = (): void => {
    want?.giveUp();
    want = null;
  };
  const finish = (next: Shown): void => {
    move = null;
    put(next);
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    now: () => shown.brushed,
    released: () => (move?.isHeld ? null : shown.brushed),
    totalFor: (field) =>
      shown.brushed && shown.isExact && (!move?.isHeld || move.field === field) ? shown.brushed.total : null,
    stopsOf: (field) => (want?.field === field ? (want.cells?.stops ?? null) : null),
    want: (wanted) => {
      if (move?.isHeld) return;
      if (want?.key === wanted.key && !want.isFailed) {
        want.known = wanted.known ?? want.known;
        return;
      }
      drop();
      const { slice, giveUp } = wanted.request();
      const mine: Want = { ...wanted, giveUp, cells: null, position: '', isFailed: false };
      want = mine;
      slice.then((taken) => receive(mine, taken)).catch(() => receive(mine, null));
    },
    move: (field, bounds) => {
      move = { field, bounds, isHeld: true, before: move?.isHeld ? move.before : shown };
      show(move);
    },
    release: () => {
      if (move) move = { ...move, isHeld: false };
      put(shown);
    },
    takeBack: () => {
      if (move?.isHeld) finish(move.before);
    },
    answered: (brushed) => {
      if (brushed === shown.brushed && !move?.isHeld) finish(nothing);
    },
    outdated: (brushed) => {
      if (brushed === shown.brushed && shown.isExact && !move?.isHeld) finish({ brushed, isExact: false });
    },
    leave: () => {
      drop();
      finish(nothing);
    },
  };
};
