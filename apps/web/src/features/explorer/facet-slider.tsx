import { defaultScale, type Histogram } from '@tapedeck/explorer/contract';
import { useCallback, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { RangeHistogram, type RangeHistogramProps } from '../../ui/range-histogram.tsx';
import type { Bounds } from '../../ui/range-thumbs.ts';
import type { ExplorationAsked } from './explorer.api.ts';
import { boundsMoved, scaleChosen } from './explorer.slice.ts';
import type { Facet } from './facets.ts';
import { tidyBounds } from './filters.ts';
import { useRangeBrush } from './use-brush.ts';
import { selectExplorer } from './use-filters.ts';

export type FacetSliderProps = Readonly<{
  facet: Facet;
  /** Which catalogue a slice must be of. */
  catalogue: Pick<ExplorationAsked, 'catalogue' | 'unheard'>;
  histogram: Histogram | undefined;
  total: number | null;
}>;

const noEdges: readonly number[] = [];

export const FacetSlider = ({ facet, catalogue, histogram, total }: FacetSliderProps): JSX.Element => {
  const { field } = facet;
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const chosen = filters.scales[field] ?? defaultScale[field];
  // Until the chosen scale's histogram is there, the slider keeps the one it can be right about.
  const scale = histogram?.scale ?? chosen;
  const brush = useRangeBrush({ field, scale, edges: histogram?.edges ?? noEdges, catalogue });
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
      total={total}
      onBounds={onBounds}
      tidy={tidy}
      brush={brush}
      scales={{ chosen, onChoose: (scale) => dispatch(scaleChosen({ field, scale })) }}
    />
  );
};
