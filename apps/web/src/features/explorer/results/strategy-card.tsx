import type { Exploration, StrategyListItem } from '@tapedeck/explorer/contract';
import { defaultScale, facetFields, facets, type FacetField } from '@tapedeck/search-engine/contract';
import { memo, useState, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Figure } from '../../../ui/figure.tsx';
import { formatCount, formatDay, formatWhole, missing } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { litSegments } from '../../../ui/range-histogram/bars.ts';
import { figureOf, figureText, toneOf } from '../item-figures.ts';
import { stateOf } from '../neighbours/result-place.ts';

export type BinEdges = Readonly<Partial<Record<FacetField, readonly number[]>>>;

/**
 * The thresholds of the meters: the bin edges of the default scale, whatever scale a slider has. Other edges serve
 * only until these have been seen once.
 */
export const useCardEdges = (shown: Exploration | undefined): BinEdges => {
  const [edges, setEdges] = useState<BinEdges>({});
  const [seen, setSeen] = useState<Exploration>();
  if (shown !== undefined && shown !== seen) {
    setSeen(shown);
    const usable = shown.histograms.filter(
      ({ field, scale }) => scale === defaultScale[field] || !edges[field],
    );
    setEdges({ ...edges, ...Object.fromEntries(usable.map(({ field, edges }) => [field, edges])) });
  }
  return edges;
};

export type StrategyCardProps = Readonly<{
  strategy: StrategyListItem;
  edges: BinEdges;
  /** Empty if there are no chart images. */
  chartImageOrigin: string;
  /** Buttons in the foot of the card, such as the star. */
  renderAction: (strategy: StrategyListItem) => ReactNode;
  /** Depends on the headings of the page. */
  heading?: 'h2' | 'h3';
  /** The result that the card is part of, as an address, and its position in it, from 0. */
  result?: string;
  position?: number;
}>;

const shownIndicators = 2;
/** Longer names of indicators are shortened where there is not enough space. */
const maxUnshortenedName = 6;

const Thumbnail = ({ origin, urlId }: Readonly<{ origin: string; urlId: string }>): JSX.Element => {
  const [isMissing, setMissing] = useState(false);
  if (!origin || isMissing) {
    return (
      <div className="strategy-thumb strategy-thumb--none">
        <div className="tape" />
      </div>
    );
  }
  return (
    <div className="strategy-thumb">
      <img
        src={`${origin}/${encodeURIComponent(urlId)}.svg`}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setMissing(true)}
      />
    </div>
  );
};

const Counts = ({ strategy }: Pick<StrategyCardProps, 'strategy'>): JSX.Element => (
  <p className="strategy-counts">
    {facetFields.map((field) => {
      const { card, shortName } = facets[field];
      if (!card || !('icon' in card)) return null;
      const value = figureOf(strategy, field);
      return (
        <span key={field} title={value === null ? undefined : `${formatWhole(value)} ${shortName}`}>
          <Icon name={card.icon} small />
          {formatCount(value)}
          <span className="visually-hidden"> {shortName}</span>
        </span>
      );
    })}
  </p>
);

type MeterProps = Readonly<{ field: FacetField; name: string; value: number; edges: BinEdges }>;

/** A segmented bar and the figure as text. */
const Meter = ({ field, name, value, edges }: MeterProps): JSX.Element => {
  const { colour, bins } = facets[field];
  const tone = toneOf(field, value);
  const style = {
    '--m': tone === 'loss' ? 'var(--loss)' : `var(--m-${colour})`,
    '--n': litSegments(edges[field] ?? [], value),
    '--of': bins,
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="meter" style={style} />
        <Figure text={figureText(field, value)} className={tone ?? ''} />
      </dd>
    </div>
  );
};

const Meters = ({ strategy, edges }: Pick<StrategyCardProps, 'strategy' | 'edges'>): JSX.Element => {
  const known = facetFields.flatMap((field) => {
    const { card } = facets[field];
    const value = figureOf(strategy, field);
    return card && 'meter' in card && value !== null ? [{ field, name: card.meter, value }] : [];
  });
  if (known.length === 0) return <p className="strategy-none">No performance data</p>;
  return (
    <dl className="meters">
      {known.map((figure) => (
        <Meter key={figure.field} {...figure} edges={edges} />
      ))}
    </dl>
  );
};

const Indicators = ({ names }: Readonly<{ names: readonly string[] }>): JSX.Element => (
  <div className="chips chips--line">
    {names.slice(0, shownIndicators).map((name) => (
      <span
        key={name}
        className="chip chip--still"
        title={name}
        style={{ flexShrink: name.length > maxUnshortenedName ? 1 : 0 }}
      >
        {name}
      </span>
    ))}
    {names.length > shownIndicators && (
      <span className="chip chip--still chip--more" title={names.slice(shownIndicators).join(', ')}>
        +{names.length - shownIndicators} more
      </span>
    )}
  </div>
);

const linesText = (lines: number | null): string =>
  lines === null ? `${missing} lines` : `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;

export const StrategyCard = memo((props: StrategyCardProps): JSX.Element => {
  const { strategy, edges, chartImageOrigin, renderAction, heading: Heading = 'h2' } = props;
  const { result, position } = props;
  const isInResult = result !== undefined && position !== undefined;
  return (
    <article className="strategy-card">
      <Thumbnail key={strategy.url_id} origin={chartImageOrigin} urlId={strategy.url_id} />
      <div className="strategy-body">
        <div>
          <Heading className="strategy-title">
            <Link
              to={`/strategy/${encodeURIComponent(strategy.url_id)}`}
              state={isInResult ? stateOf({ query: result, position }) : null}
            >
              {strategy.title}
            </Link>
          </Heading>
          <p className="meta strategy-author">Strategy by {strategy.author ?? missing}</p>
        </div>
        <Counts strategy={strategy} />
        <Meters strategy={strategy} edges={edges} />
        <Indicators names={strategy.categories} />
        <div className="strategy-foot">
          <span>{linesText(strategy.code_lines)}</span>
          <span>{formatDay(strategy.publication_date)}</span>
          <span className="strategy-actions">{renderAction(strategy)}</span>
        </div>
      </div>
    </article>
  );
});

const skeletonMeters = [1, 2, 3, 4];

const CardSkeleton = (): JSX.Element => (
  <div className="strategy-card" aria-hidden="true">
    <div className="strategy-thumb" />
    <div className="strategy-body">
      <div className="skeleton-title">
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
      <span className="skeleton skeleton-line" />
      <div className="skeleton-meters">
        {skeletonMeters.map((meter) => (
          <span key={meter} className="skeleton" />
        ))}
      </div>
      <span className="skeleton skeleton-chips" />
      <div className="strategy-foot">
        <span className="skeleton skeleton-line" />
      </div>
    </div>
  </div>
);

export const CardSkeletons = ({ count }: Readonly<{ count: number }>): JSX.Element => (
  <>
    {Array.from({ length: count }, (_, index) => (
      <CardSkeleton key={index} />
    ))}
  </>
);
