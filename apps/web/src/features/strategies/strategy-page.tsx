import { missingFeatureText } from '@tapedeck/plans/contract';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { formatCount, formatDay, formatWhole, missing } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { UpgradeNotice } from '../../ui/upgrade-notice.tsx';
import { webAddress } from './figures.ts';
import { PineCode } from './pine-code.tsx';
import { useStrategyDetailsQuery } from './strategies.api.ts';
import { StrategyFigures } from './strategy-figures.tsx';

export type StrategyPageProps = Readonly<{
  urlId: string;
  /** A button beside the title, from another feature. */
  renderAction: (strategy: Pick<StrategyDetails, 'urlId' | 'title'>) => ReactNode;
  /** Sections of other features at the end of the page. */
  children?: ReactNode;
}>;

const Back = (): JSX.Element => (
  <Link className="back" to="/?section=strategy-explorer">
    <Icon name="left" />
    Back to the explorer
  </Link>
);

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

const grouped = (text: string): string => (/^\d{4,15}$/.test(text) ? formatWhole(Number(text)) : text);

const counted = (value: number | null, unit: string): string =>
  value === null ? missing : `${formatWhole(value)} ${unit}${value === 1 ? '' : 's'}`;

const Facts = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => {
  const { backtestingRangeStart: from, backtestingRangeEnd: to, currency, initialCapital } = details;
  const unit = currency && currency !== 'NONE' ? ` ${currency}` : '';
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Indicators', details.categories.join(', ') || missing],
    ['Timeframes', details.timeframes.slice(0, 3).join(', ') || missing],
    ['Sharpe ratio', details.sharpeRatioAll ?? missing],
    ['Total trades', details.totalTrades ?? missing],
    ['Backtesting period', from && to ? `${formatDay(from)} – ${formatDay(to)}` : missing],
    ['Initial capital', initialCapital === null ? missing : grouped(initialCapital) + unit],
    ['Commission', details.commission ?? missing],
    ['Slippage', counted(details.slippage, 'tick')],
    ['Pyramiding', counted(details.pyramiding, 'order')],
  ];
  return (
    <aside className="card card-pad">
      <h2 className="facts-title">Details</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
};

const Head = ({
  details,
  action,
}: Readonly<{ details: StrategyDetails; action: ReactNode }>): JSX.Element => {
  const source = webAddress(details.sourceUrl);
  return (
    <header className="detail-head">
      <div>
        <h1>{details.title}</h1>
        <p className="byline">
          <span>
            by <b>{details.author ?? missing}</b>
          </span>
          <span>Published {formatDay(details.publicationDate)}</span>
          <span className="tags">
            {details.symbol && <span className="badge mono">{details.symbol}</span>}
            {details.pineVersion !== null && <span className="badge">Pine v{details.pineVersion}</span>}
          </span>
        </p>
      </div>
      <div className="row">
        {action}
        {source && (
          <a className="btn" href={source} target="_blank" rel="noreferrer">
            {/(^|\.)tradingview\.com$/i.test(new URL(source).hostname)
              ? 'View on TradingView'
              : 'View source'}
            <Icon name="external" />
          </a>
        )}
      </div>
    </header>
  );
};

const Loaded = ({
  details,
  action,
}: Readonly<{ details: StrategyDetails; action: ReactNode }>): JSX.Element => (
  <>
    <Head details={details} action={action} />
    <dl className="statsbar">
      <Stat icon="heart" name="Likes" value={details.likes} />
      <Stat icon="eye" name="Views" value={details.views} />
      <Stat icon="comment" name="Comments" value={details.commentsCount} />
      <Stat icon="code" name="Lines of code" value={details.codeLines} />
    </dl>
    <StrategyFigures details={details} />
    <div className="detail-grid">
      <section className="detail-text">
        <h2>Strategy Description</h2>
        <p className="prose description">{details.fullDescription ?? 'No description available'}</p>
      </section>
      <Facts details={details} />
    </div>
    {details.pineScript && <PineCode code={details.pineScript} version={details.pineVersion} />}
    {!details.sourceCodeIncluded && <UpgradeNotice text={missingFeatureText('sourceCode')} />}
  </>
);

const NotFound = ({ reason }: Readonly<{ reason: string }>): JSX.Element => (
  <div className="empty" style={{ '--position': '30%' }}>
    <div className="tape" aria-hidden="true" />
    <h1>Strategy not found</h1>
    <p>{reason}</p>
  </div>
);

export const StrategyPage = ({ urlId, renderAction, children }: StrategyPageProps): JSX.Element => {
  const { currentData: details, error, isFetching } = useStrategyDetailsQuery(urlId);
  const title = details?.title ?? (error ? 'Strategy not found' : 'Strategy');
  usePageTitle(`${title} · Tapedeck`);
  const isMissing = error && 'status' in error && error.status === 404;
  return (
    <main className="wrap detail" id="main" aria-busy={isFetching}>
      <Back />
      {details && <Loaded details={details} action={renderAction(details)} />}
      {details && children}
      {!details && isFetching && (
        <p className="spinner" role="status">
          <Icon name="refresh" />
          Loading strategy
        </p>
      )}
      {!details && !isFetching && (
        <NotFound
          reason={
            isMissing
              ? 'It may have been removed from the catalogue, or the address is wrong.'
              : 'The server could not load it. Try again in a moment.'
          }
        />
      )}
    </main>
  );
};
