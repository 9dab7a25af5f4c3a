import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { JSX, ReactNode } from 'react';
import { formatCount, formatDay, missing } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { hasSource, SourceLink } from './source-link.tsx';

type StatProps = Readonly<{ icon: IconName; name: string; value: number | null }>;

const Stat = ({ icon, name, value }: StatProps): JSX.Element => (
  <div>
    <dt>
      <Icon name={icon} />
      {name}
    </dt>
    <dd>{formatCount(value)}</dd>
  </div>
);

const Tags = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => {
  const { symbol, timeframe, pineVersion } = details;
  const market = [symbol, timeframe].filter((text) => text !== null).join(' · ');
  return (
    <span className="tags">
      {market && (
        <span className="badge mono" title="Symbol and timeframe of the backtest">
          {market}
        </span>
      )}
      {pineVersion !== null && <span className="badge">Pine v{pineVersion}</span>}
    </span>
  );
};

export type StrategyHeadProps = Readonly<{ details: StrategyDetails; actions: ReactNode }>;

export const StrategyHead = ({ details, actions }: StrategyHeadProps): JSX.Element => (
  <>
    <header className="detail-head">
      <div>
        <h1>{details.title}</h1>
        <p className="byline">
          <span>
            by <b>{details.author ?? missing}</b>
          </span>
          <span>Published {formatDay(details.publicationDate)}</span>
          <Tags details={details} />
        </p>
      </div>
      <div className="row detail-actions">
        {actions}
        {hasSource(details) && <SourceLink details={details} className="btn" />}
      </div>
    </header>
    <dl className="statsbar">
      <Stat icon="heart" name="Likes" value={details.likes} />
      <Stat icon="eye" name="Views" value={details.views} />
      <Stat icon="comment" name="Comments" value={details.commentsCount} />
      <Stat icon="code" name="Lines of code" value={details.codeLines} />
    </dl>
  </>
);
