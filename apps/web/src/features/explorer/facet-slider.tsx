import { defaultScale, type Histogram } from '@tapedeck/explorer/contract';
import { useCallback, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { RangeHistogram } from '../../ui/range-histogram.tsx';
import type { Bounds } from '../../ui/range-thumbs.ts';
import { useHistogramQuery, type ExplorationAsked } from './explorer.api.ts';
import { boundsMoved, scaleChosen } from './explorer.slice.ts';
import type { Facet } from './facets.ts';
import { selectExplorer } from './use-filters.ts';

export type FacetSliderProps = Readonly<{
  facet: Facet;
  asked: ExplorationAsked;
  /** With the field's default scale, out of the one answer for all. */
  histogram: Histogram | undefined;
  total: number | null;
}>;

export const FacetSlider = ({ facet, asked, histogram, total }: FacetSliderProps): JSX.Element => {
  const { field } = facet;
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const scaleName = filters.scales[field] ?? defaultScale[field];
  const isDefault = scaleName === defaultScale[field];
  const own = useHistogramQuery({ ...asked, field, scale: scaleName }, { skip: isDefault });
  const onBounds = useCallback(
    (bounds: Bounds) => void dispatch(boundsMoved({ field, bounds })),
    [dispatch, field],
  );
  // Until the chosen scale's own answer is there, the slider keeps the scale it can be right about.
  const rescaled = isDefault || own.data?.scale !== scaleName ? undefined : own.data;
  return (
    <RangeHistogram
      {...facet}
      histogram={rescaled ?? histogram}
      scaleName={rescaled ? scaleName : isDefault ? scaleName : defaultScale[field]}
      bounds={filters.ranges[field]}
      total={total}
      onBounds={onBounds}
      onScale={(scale) => dispatch(scaleChosen({ field, scale }))}
    />
  );
};
