import type { BrushSlice } from '@tapedeck/explorer/contract';
import type { Bounds, FacetField, Scale } from '@tapedeck/search-engine/contract';
import {
  countRange,
  readSlice,
  type BrushIntervals,
  type KnownRange,
  type RangeResult,
} from './brush-slice.ts';

/** The result for a range that is being moved, or was just moved. */
export type LiveResult = RangeResult &
  Readonly<{
    field: FacetField;
    /** Equal for filters with the same result. */
    key: string;
    scales: Readonly<Record<FacetField, Scale>>;
  }>;

export type SliceRequest = Readonly<{
  /** Null when the request has failed. */
  slice: Promise<BrushSlice | null>;
  /** Aborts the request if it is still running, and no longer keeps its answer. */
  release: () => void;
}>;

export type SliceOptions = Readonly<{
  field: FacetField;
  /** Equal for equal slices. */
  key: string;
  /** Of the field's histogram on the screen. */
  edges: readonly number[];
  /** The key of all filters, with these bounds for the field. */
  keyWith: (bounds: Bounds) => string;
  /** The answer on the screen and its catalogue; null if it is not for the present filters. */
  known: (KnownRange & Readonly<{ position: string }>) | null;
  request: () => SliceRequest;
}>;

export type Brush = Readonly<{
  subscribe: (listener: () => void) => () => void;
  /** Stays until there is an answer for the same filters: bars never go back to older counts. */
  current: () => LiveResult | null;
  /** The current result, unless a thumb is held. */
  released: () => LiveResult | null;
  /** Number of results with the present bounds of the field; null if it is not known exactly. */
  totalFor: (field: FacetField) => number | null;
  snapPointsOf: (field: FacetField) => readonly number[] | null;
  /** Requests the slice of a slider that will probably be moved, and drops the slice of any other slider. */
  prepare: (options: SliceOptions) => void;
  move: (field: FacetField, bounds: Bounds) => void;
  release: () => void;
  cancel: () => void;
  /** An answer confirms this result: it is no longer needed. */
  confirm: (result: LiveResult) => void;
  /** Other filters have changed since, and there is no newer result yet. */
  markOutdated: (result: LiveResult) => void;
  /** The sliders have left the page. */
  reset: () => void;
}>;

type Shown = Readonly<{
  result: LiveResult | null;
  /** Whether it is for the bounds as they were last moved. */
  isExact: boolean;
}>;
type PreparedSlice = SliceOptions & {
  readonly release: () => void;
  known: SliceOptions['known'];
  intervals: BrushIntervals | null;
  position: string;
  isFailed: boolean;
};
type Move = Readonly<{ field: FacetField; bounds: Bounds; isHeld: boolean; before: Shown }>;

const nothing: Shown = { result: null, isExact: false };

/** Sliders report moves here, and everything that shows a count reads it. */
export const createBrush = (): Brush => {
  const listeners = new Set<() => void>();
  let prepared: PreparedSlice | null = null;
  let move: Move | null = null;
  let shown = nothing;

  const setShown = (next: Shown): void => {
    shown = next;
    listeners.forEach((listener) => listener());
  };
  const resultOf = ({ field, bounds }: Move): LiveResult | null => {
    if (!prepared?.intervals || prepared.field !== field) return null;
    const { intervals, keyWith, position } = prepared;
    // Counts of two catalogues must not be added.
    const known = prepared.known?.position === position ? prepared.known : null;
    const result = countRange(intervals, bounds, known);
    return result && { ...result, field, key: keyWith(bounds), scales: intervals.scales };
  };
  const showMove = (shownMove: Move): void => {
    const result = resultOf(shownMove);
    setShown({ result: result ?? shown.result, isExact: result !== null });
  };
  const receive = (receiver: PreparedSlice, slice: BrushSlice | null): void => {
    if (receiver !== prepared) return;
    receiver.intervals = slice && readSlice(slice, receiver.edges);
    receiver.position = slice?.meta.position ?? '';
    receiver.isFailed = receiver.intervals === null;
    if (move?.field === receiver.field) showMove(move);
  };
  const drop = (): void => {
    prepared?.release();
    prepared = null;
  };
  const endMove = (next: Shown): void => {
    move = null;
    setShown(next);
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => shown.result,
    released: () => (move?.isHeld ? null : shown.result),
    totalFor: (field) =>
      shown.result && shown.isExact && (!move?.isHeld || move.field === field) ? shown.result.total : null,
    snapPointsOf: (field) => (prepared?.field === field ? (prepared.intervals?.snapPoints ?? null) : null),
    prepare: (options) => {
      if (move?.isHeld) return;
      if (prepared?.key === options.key && !prepared.isFailed) {
        prepared.known = options.known ?? prepared.known;
        return;
      }
      drop();
      const { slice, release } = options.request();
      const receiver: PreparedSlice = { ...options, release, intervals: null, position: '', isFailed: false };
      prepared = receiver;
      slice.then((received) => receive(receiver, received)).catch(() => receive(receiver, null));
    },
    move: (field, bounds) => {
      move = { field, bounds, isHeld: true, before: move?.isHeld ? move.before : shown };
      showMove(move);
    },
    release: () => {
      if (move) move = { ...move, isHeld: false };
      setShown(shown);
    },
    cancel: () => {
      if (move?.isHeld) endMove(move.before);
    },
    confirm: (result) => {
      if (result === shown.result && !move?.isHeld) endMove(nothing);
    },
    markOutdated: (result) => {
      if (result === shown.result && shown.isExact && !move?.isHeld) endMove({ result, isExact: false });
    },
    reset: () => {
      drop();
      endMove(nothing);
    },
  };
};
