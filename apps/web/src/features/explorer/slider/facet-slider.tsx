import { type Exploration } from '@tapedeck/explorer/contract';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { useCallback, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { RangeHistogram, type RangeHistogramProps } from '../../../ui/range-histogram/range-histogram.tsx';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import type { ExplorationAsked } from '../explorer.api.ts';
import { boundsMoved, scaleChosen } from '../filter-state/filters.slice.ts';
import type { Facet } from '../filter-state/facets.ts';
import { tidyBounds } from '../filter-state/filters.ts';
import { useRangeBrush } from './use-brush.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export type FacetSliderProps = Readonly<{
  facet: Facet;
  /** Which catalogue a slice must be of. */
  catalogue: Pick<ExplorationAsked, 'catalogue' | 'unheard'>;
  shown: Exploration | undefined;
  /** Whether `shown` answers the filters as they are now. */
  isPresent: boolean;
}>;

const noEdges: readonly number[] = [];

export const FacetSlider = ({ facet, catalogue, shown, isPresent }: FacetSliderProps): JSX.Element => {
  const { field } = facet;
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const histogram = shown?.histograms.find((each) => each.field === field);
  const answer = (isPresent && shown) || null;
  const chosen = filters.scales[field] ?? defaultScale[field];
  // Until the chosen scale's histogram is there, the slider keeps the one it can be right about.
  const scale = histogram?.scale ?? chosen;
  const brush = useRangeBrush({ field, scale, edges: histogram?.edges ?? noEdges, answer, catalogue });
  const onBounds = useCallback<RangeHistogramProps['onBounds']>(
    (bounds, by) => void dispatch(boundsMoved({ field, bounds, isDropped: by === 'drag' })),
    [dispatch, field],
  );
  const tidy = useCallback((bounds: Bounds) => tidyBounds(field, bounds), [field]);
  return (
    <RangeHistogram
      {...facet}
      histogram={histogram}
      scaleName={scale}
      bounds={filters.ranges[field]}
      total={answer?.total ?? null}
      onBounds={onBounds}
      tidy={tidy}
      brush={brush}
      scales={{ chosen, onChoose: (scale) => dispatch(scaleChosen({ field, scale })) }}
    />
  );
};
