import type { FigurePlace as Place } from '@tapedeck/explorer/contract';
import { tiersWith } from '@tapedeck/plans/contract';
import { facets, type FacetField } from '@tapedeck/search-engine/contract';
import type { JSX } from 'react';
import { isNotIncluded } from '../../../api/base-api.ts';
import { Icon } from '../../../ui/icon.tsx';
import { barsPath } from '../../../ui/range-histogram/bars.ts';
import { useStrategyPlacesQuery } from './places.api.ts';
import { rankDetail, rankText } from './rank-text.ts';

/** Of the plot's width in pixels: the same gap between bars as in the sliders. */
const plotWidth = 240;

const Bars = ({ place, isLoss }: Readonly<{ place: Place; isLoss: boolean }>): JSX.Element => {
  const { field, all, bin } = place;
  const bins = all.length;
  const gap = bins / plotWidth;
  const maxCount = Math.max(...all);
  const own = all.map((count, at) => (at === bin ? count : 0));
  return (
    <svg
      className="place-bars"
      viewBox={`${gap / 2} 0 ${bins} 100`}
      preserveAspectRatio="none"
      strokeWidth={1 - gap}
      aria-hidden="true"
      style={{ '--m': isLoss ? 'var(--loss)' : `var(--m-${facets[field].colour})` }}
    >
      <path className="place-all" d={barsPath(all, maxCount)} />
      <path className="place-here" d={`M${bin + 0.5} 100v-100`} />
      <path className="place-own" d={barsPath(own, maxCount)} />
    </svg>
  );
};

type PlaceState = ReturnType<typeof usePlaces>;

const usePlaces = (urlId: string) => {
  const { currentData, error, isFetching, refetch } = useStrategyPlacesQuery(urlId);
  const isExcluded = isNotIncluded(error);
  // The catalogue of the search may not have a strategy yet that its page already shows.
  const isMissing = error !== undefined && 'status' in error && error.status === 404;
  const isFailed = !currentData && error !== undefined && !isExcluded && !isMissing;
  return { places: currentData?.places, isExcluded, isMissing, isFailed, isFetching, refetch };
};

const textWithout = ({ places, isExcluded, isMissing, isFailed }: PlaceState): string => {
  if (isExcluded) return `Place in the catalogue: with ${tiersWith('explorer')}`;
  if (isFailed) return 'Place in the catalogue not loaded';
  return places || isMissing ? 'Without a place in the catalogue' : '';
};

const WithoutPlace = ({ field, state }: Readonly<{ field: FacetField; state: PlaceState }>): JSX.Element => {
  const { isFailed, isFetching, refetch } = state;
  const text = textWithout(state);
  return (
    <div className="place" aria-busy={isFetching}>
      <div className="place-bars place-bars--none">
        {isFailed ? (
          <button
            className="btn btn--sm"
            type="button"
            aria-label={`Try again to load the place of ${facets[field].label}`}
            aria-busy={isFetching}
            onClick={() => void refetch()}
          >
            <Icon name="refresh" small />
            Try again
          </button>
        ) : (
          text !== '' && <div className="tape" />
        )}
      </div>
      <p className="place-rank">{text}</p>
    </div>
  );
};

export type FigurePlaceProps = Readonly<{ urlId: string; field: FacetField; isLoss?: boolean }>;

/** The histogram of a figure in the whole catalogue, with the bar of this strategy, and how many are worse. */
export const FigurePlace = ({ urlId, field, isLoss = false }: FigurePlaceProps): JSX.Element => {
  const state = usePlaces(urlId);
  const place = state.places?.find((one) => one.field === field);
  if (!place) return <WithoutPlace field={field} state={state} />;
  return (
    <div className="place">
      <Bars place={place} isLoss={isLoss} />
      <p className="place-rank" title={rankDetail(place)}>
        {rankText(place)}
      </p>
    </div>
  );
};

/** The same in words alone; its line is kept free until it is known. */
export const FigureRank = ({ urlId, field }: Omit<FigurePlaceProps, 'isLoss'>): JSX.Element => {
  const place = usePlaces(urlId).places?.find((one) => one.field === field);
  return <span className="figure-rank">{place ? rankText(place) : '\u00a0'}</span>;
};
