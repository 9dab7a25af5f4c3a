import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { FacetField } from '@tapedeck/search-engine/contract';
import { memo, useState, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import {
  formatCount,
  formatDay,
  formatGain,
  formatPercent,
  formatRatio,
  missing,
  parseNumeric,
} from '../../../ui/format.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Meter, Meters } from '../../../ui/meter.tsx';
import { segmentsLit } from '../../../ui/range-histogram/segments.ts';

export type BinEdges = Readonly<Partial<Record<FacetField, readonly number[]>>>;

export type StrategyCardProps = Readonly<{
  strategy: StrategyListItem;
  edges: BinEdges;
  /** Empty when there are no pictures. */
  chartImageOrigin: string;
  /** A button for the foot, such as the star. */
  renderAction: (strategy: StrategyListItem) => ReactNode;
  /** By the headings around it. */
  heading?: 'h2' | 'h3';
}>;

const shownIndicators = 2;
/** Letters up to which an indicator's name is shown whole; longer ones give way. */
const wholeName = 6;

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

type CountProps = Readonly<{ icon: IconName; value: number | null; words: string }>;

const Count = ({ icon, value, words }: CountProps): JSX.Element => (
  <span title={value === null ? undefined : `${value.toLocaleString('en-US')} ${words}`}>
    <Icon name={icon} small />
    {formatCount(value)}
    <span className="visually-hidden"> {words}</span>
  </span>
);

const Figures = ({ strategy, edges }: Pick<StrategyCardProps, 'strategy' | 'edges'>): JSX.Element => {
  const pnl = parseNumeric(strategy.total_pandl_percent);
  const drawdown = parseNumeric(strategy.max_drawdown_percent);
  const factor = parseNumeric(strategy.profit_factor_numeric);
  const sharpe = parseNumeric(strategy.sharpe_ratio_numeric);
  if ([pnl, drawdown, factor, sharpe].every((figure) => figure === null)) {
    return <p className="strategy-none">No performance data</p>;
  }
  const lit = (field: FacetField, value: number): number => segmentsLit(edges[field] ?? [], value);
  return (
    <Meters>
      {pnl !== null && (
        <Meter
          name="P&L"
          kind={pnl < 0 ? 'loss' : 'pnl'}
          lit={lit('totalPandlPercent', pnl)}
          text={formatGain(pnl)}
          tone={pnl < 0 ? 'loss' : 'gain'}
        />
      )}
      {drawdown !== null && (
        <Meter
          name="Max DD"
          kind="dd"
          lit={lit('maxDrawdownPercent', drawdown)}
          text={formatPercent(drawdown)}
        />
      )}
      {factor !== null && (
        <Meter name="PF" kind="pf" lit={lit('profitFactor', factor)} text={formatRatio(factor)} />
      )}
      {sharpe !== null && (
        <Meter name="Sharpe" kind="sharpe" lit={lit('sharpeRatio', sharpe)} text={formatRatio(sharpe)} />
      )}
    </Meters>
  );
};

const Indicators = ({ names }: Readonly<{ names: readonly string[] }>): JSX.Element => (
  <div className="chips chips--line">
    {names.slice(0, shownIndicators).map((name) => (
      <span
        key={name}
        className="chip chip--still"
        title={name}
        style={{ flexShrink: name.length > wholeName ? 1 : 0 }}
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

const linesWords = (lines: number | null): string =>
  lines === null ? `${missing} lines` : `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;

export const StrategyCard = memo((props: StrategyCardProps): JSX.Element => {
  const { strategy, edges, chartImageOrigin, renderAction, heading: Heading = 'h2' } = props;
  return (
    <article className="strategy-card">
      <Thumbnail key={strategy.url_id} origin={chartImageOrigin} urlId={strategy.url_id} />
      <div className="strategy-body">
        <div>
          <Heading className="strategy-title">
            <Link to={`/strategy/${encodeURIComponent(strategy.url_id)}`}>{strategy.title}</Link>
          </Heading>
          <p className="meta strategy-author">Strategy by {strategy.author ?? missing}</p>
        </div>
        <p className="strategy-counts">
          <Count icon="heart" value={strategy.likes} words="likes" />
          <Count icon="eye" value={strategy.views} words="views" />
          <Count icon="trades" value={parseNumeric(strategy.total_trades)} words="trades" />
        </p>
        <Figures strategy={strategy} edges={edges} />
        <Indicators names={strategy.categories} />
        <div className="strategy-foot">
          <span>{linesWords(strategy.code_lines)}</span>
          <span>{formatDay(strategy.publication_date)}</span>
          <span className="strategy-acts">{renderAction(strategy)}</span>
        </div>
      </div>
    </article>
  );
});

const bones = [1, 2, 3, 4];

export const StrategyCardSkeleton = (): JSX.Element => (
  <div className="strategy-card" aria-hidden="true">
    <div className="strategy-thumb" />
    <div className="strategy-body">
      <div className="bone-title">
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
      <span className="skeleton bone-line" />
      <div className="bones">
        {bones.map((bone) => (
          <span key={bone} className="skeleton" />
        ))}
      </div>
      <span className="skeleton bone-chips" />
      <div className="strategy-foot">
        <span className="skeleton bone-line" />
      </div>
    </div>
  </div>
);
