import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Exploration } from '@tapedeck/explorer/contract';
import type { Bounds, FacetField, Scale } from '@tapedeck/search-engine/contract';
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import type { RangeBrush } from '../../../ui/range-histogram/range-brush.ts';
import { openBounds } from '../../../ui/range-histogram/range-thumbs.ts';
import type { ExplorationView } from '../explorer.api.ts';
import { selectFilters, type StateWithFilters } from '../filter-state/filters.slice.ts';
import { decodeFilters, histogramsAddress } from '../filter-state/filters.ts';
import { brushSlice, type BrushOptions } from './brush.api.ts';
import { createBrush, type SliceOptions, type SliceRequest } from './brush-store.ts';

/** The one brush of the page: at most one slider is moved at a time. */
const brush = createBrush();

type ApiDispatch = ThunkDispatch<never, unknown, UnknownAction>;

const requestSlice = (dispatch: ApiDispatch, options: BrushOptions): SliceRequest => {
  const running = dispatch(brushSlice.initiate(options));
  let isAnswered = false;
  return {
    slice: running.then(({ data }) => {
      isAnswered = true;
      return data ?? null;
    }),
    release: () => {
      if (!isAnswered) running.abort();
      running.unsubscribe();
    },
  };
};

export type BrushedFacet = Readonly<{
  field: FacetField;
  /** Scale and edges of the histogram on the screen. */
  scale: Scale;
  edges: readonly number[];
  /** The answer on the screen; null if it is not for the present filters. */
  answer: Exploration | null;
  catalogue: Pick<BrushOptions, 'catalogue' | 'uncachedRequests'>;
}>;

const knownRange = (answer: Exploration | null, bounds: Bounds): SliceOptions['known'] => {
  if (!answer) return null;
  const { total, histograms, meta } = answer;
  const byField = new Map(histograms.map((histogram) => [histogram.field, histogram]));
  return {
    bounds,
    total,
    position: meta.position,
    countsOf: (field) => byField.get(field) ?? { counts: [], unknown: 0 },
  };
};

/** Connects the slider of one facet with the counts of all the others. */
export const useRangeBrush = (facet: BrushedFacet): RangeBrush => {
  const { field, scale } = facet;
  const dispatch = useDispatch<ApiDispatch>();
  const store = useStore<StateWithFilters>();
  const latest = useRef(facet);
  useLayoutEffect(() => {
    latest.current = facet;
  });
  return useMemo(() => {
    const onReady = (): void => {
      const filters = selectFilters(store.getState());
      const keyWith = (bounds: Bounds): string =>
        histogramsAddress({ ...filters, ranges: { ...filters.ranges, [field]: bounds } });
      const { edges, answer, catalogue } = latest.current;
      const options = { ...catalogue, active: field, query: keyWith(openBounds) };
      brush.prepare({
        field,
        key: JSON.stringify(options),
        edges,
        keyWith,
        known: knownRange(answer, filters.ranges[field]),
        request: () => requestSlice(dispatch, options),
      });
    };
    return {
      onReady,
      snapPoints: () => brush.snapPointsOf(field),
      onMove: (bounds) => brush.move(field, bounds),
      onRelease: brush.release,
      onCancel: brush.cancel,
      subscribe: brush.subscribe,
      counts: () => {
        const current = brush.current();
        return current?.scales[field] === scale ? current.countsOf(field) : null;
      },
      total: () => brush.totalFor(field),
    };
  }, [field, scale, dispatch, store]);
};

/** The live total during a drag, otherwise the given one. */
export const useLiveTotal = (total: number | undefined): number | undefined =>
  useSyncExternalStore(brush.subscribe, () => brush.current()?.total) ?? total;

/** Whether a thumb is held. */
export const useIsBrushing = (): boolean =>
  useSyncExternalStore(brush.subscribe, () => brush.current() !== null && brush.released() === null);

const answeredKey = ({ isCurrent, options }: ExplorationView): string | null =>
  isCurrent ? histogramsAddress(decodeFilters(options.query)) : null;

/** Drops a live result as soon as the server's answer for the same filters is there. Renders nothing. */
export const BrushSync = ({ exploration }: Readonly<{ exploration: ExplorationView }>): null => {
  const released = useSyncExternalStore(brush.subscribe, brush.released);
  const present = histogramsAddress(useSelector(selectFilters));
  const answered = answeredKey(exploration);
  useEffect(() => {
    if (!released) return;
    if (answered === present) brush.confirm(released);
    else if (released.key !== present) brush.markOutdated(released);
  }, [released, answered, present]);
  useEffect(() => brush.reset, []);
  return null;
};
