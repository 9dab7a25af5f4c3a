import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Exploration } from '@tapedeck/explorer/contract';
import type { FacetField, Scale } from '@tapedeck/search-engine/contract';
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import type { RangeBrush } from '../../../ui/range-histogram/range-brush.ts';
import { openBounds, type Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { createBrush, type SliceRequest, type SliceWanted } from './brush-store.ts';
import { explorerApi, type BrushAsked } from '../explorer.api.ts';
import { decodeFilters, filterKey } from '../filter-state/filter-address.ts';
import type { ExplorationView } from '../use-exploration.ts';
import { selectExplorer, type StateWithExplorer } from '../filter-state/use-filters.ts';

const brush = createBrush();

type ApiDispatch = ThunkDispatch<never, unknown, UnknownAction>;

const takeSlice = (dispatch: ApiDispatch, asked: BrushAsked): SliceRequest => {
  const running = dispatch(explorerApi.endpoints.brush.initiate(asked));
  let isDone = false;
  return {
    slice: running.then(({ data }) => {
      isDone = true;
      return data ?? null;
    }),
    giveUp: () => {
      if (!isDone) running.abort();
      running.unsubscribe();
    },
  };
};

export type BrushedFacet = Readonly<{
  field: FacetField;
  /** The drawn histogram's. */
  scale: Scale;
  edges: readonly number[];
  /** What is on the screen, where it answers the present filters. */
  answer: Exploration | null;
  catalogue: Pick<BrushAsked, 'catalogue' | 'unheard'>;
}>;

const knownFrom = (answer: Exploration | null, bounds: Bounds): SliceWanted['known'] => {
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

/** What a facet's slider tells the others and is told by them. */
export const useRangeBrush = (facet: BrushedFacet): RangeBrush => {
  const { field, scale } = facet;
  const dispatch = useDispatch<ApiDispatch>();
  const store = useStore<StateWithExplorer>();
  const latest = useRef(facet);
  useLayoutEffect(() => {
    latest.current = facet;
  });
  return useMemo(() => {
    const onReady = (): void => {
      const { filters } = selectExplorer(store.getState());
      const keyWith = (bounds: Bounds): string =>
        filterKey({ ...filters, ranges: { ...filters.ranges, [field]: bounds } });
      const { edges, answer, catalogue } = latest.current;
      const asked = { ...catalogue, active: field, query: keyWith(openBounds) };
      const key = JSON.stringify(asked);
      const known = knownFrom(answer, filters.ranges[field]);
      brush.want({ field, key, edges, keyWith, known, request: () => takeSlice(dispatch, asked) });
    };
    return {
      onReady,
      stops: () => brush.stopsOf(field),
      onMove: (bounds) => brush.move(field, bounds),
      onRelease: brush.release,
      onTakeBack: brush.takeBack,
      subscribe: brush.subscribe,
      counts: () => {
        const now = brush.now();
        return now?.scales[field] === scale ? now.countsOf(field) : null;
      },
      total: () => brush.totalFor(field),
    };
  }, [field, scale, dispatch, store]);
};

/** The total as it is now, also in mid-drag. */
export const useShownTotal = (answered: number | undefined): number | undefined =>
  useSyncExternalStore(brush.subscribe, () => brush.now()?.total) ?? answered;

/** Whether a thumb is being held. */
export const useIsBrushing = (): boolean =>
  useSyncExternalStore(brush.subscribe, () => brush.now() !== null && brush.released() === null);

const answeredKey = ({ isSettled, asked }: ExplorationView): string | null => {
  return isSettled ? filterKey(decodeFilters(new URLSearchParams(asked.query))) : null;
};

/** Draws nothing: lets go of counts as soon as an answer says the same. */
export const BrushKeeper = ({ exploration }: Readonly<{ exploration: ExplorationView }>): null => {
  const released = useSyncExternalStore(brush.subscribe, brush.released);
  const present = filterKey(useSelector(selectExplorer).filters);
  const answered = answeredKey(exploration);
  useEffect(() => {
    if (!released) return;
    if (answered === present) brush.answered(released);
    else if (released.key !== present) brush.outdated(released);
  }, [released, answered, present]);
  useEffect(() => brush.leave, []);
  return null;
};
