import type { Exploration } from '@tapedeck/explorer/contract';
import {
  defaultScale,
  effectiveBounds,
  facets,
  isReversed,
  type Bounds,
  type FacetField,
} from '@tapedeck/search-engine/contract';
import { useCallback, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { RangeHistogram, type RangeHistogramProps } from '../../../ui/range-histogram/range-histogram.tsx';
import type { ExploreOptions } from '../explorer.api.ts';
import { boundsChanged, scaleChosen, selectFilters } from '../filter-state/filters.slice.ts';
import { useRangeBrush } from '../brush/use-brush.ts';

export type FacetSliderProps = Readonly<{
  field: FacetField;
  /** The catalogue that a slice must be of. */
  catalogue: Pick<ExploreOptions, 'catalogue' | 'uncachedRequests'>;
  shown: Exploration | undefined;
  /** Whether `shown` is the answer for the present filters. */
  isCurrent: boolean;
}>;

const noEdges: readonly number[] = [];

/** A slider of the panel: its bounds are filters, and while it is moved all histograms follow. */
export const FacetSlider = ({ field, catalogue, shown, isCurrent }: FacetSliderProps): JSX.Element => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  const histogram = shown?.histograms.find((each) => each.field === field);
  const answer = (isCurrent && shown) || null;
  const chosen = filters.scales[field] ?? defaultScale[field];
  // Until the histogram of the chosen scale is there, the slider keeps the old one with its scale.
  const scale = histogram?.scale ?? chosen;
  const brush = useRangeBrush({ field, scale, edges: histogram?.edges ?? noEdges, answer, catalogue });
  const onBounds = useCallback<RangeHistogramProps['onBounds']>(
    (bounds, by) => void dispatch(boundsChanged({ field, bounds, isDropped: by === 'drag' })),
    [dispatch, field],
  );
  const normalise = useCallback((bounds: Bounds) => effectiveBounds(field, bounds), [field]);
  return (
    <RangeHistogram
      {...facets[field]}
      colour={`var(--m-${facets[field].colour})`}
      histogram={histogram}
      scaleName={scale}
      bounds={filters.ranges[field]}
      total={answer?.total ?? null}
      onBounds={onBounds}
      normalise={normalise}
      isReversed={(bounds) => {
        const { low, high } = normalise(bounds);
        return isReversed(low, high);
      }}
      brush={brush}
      scales={{ chosen, onChoose: (scale) => dispatch(scaleChosen({ field, scale })) }}
    />
  );
};
