import type { StrategyDetails } from '@tapedeck/strategies/contract';
import { missingFeatureText } from '@tapedeck/plans/contract';
import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '../../api/problem-text.ts';
import { useAppearing } from '../../ui/browser/use-appearing.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { ErrorDetails } from '../../ui/error-details.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StillWorking } from '../../ui/pending.tsx';
import { UpgradeNotice } from '../../ui/upgrade-notice.tsx';
import { PineCode } from './pine/pine-code.tsx';
import { useStrategyDetailsQuery } from './strategies.api.ts';
import { StrategyCharts } from './strategy-charts.tsx';
import { StrategyFacts, type RenderRank } from './strategy-facts.tsx';
import { StrategyFigures, type RenderPlace } from './strategy-figures.tsx';
import { StrategyHead } from './strategy-head.tsx';

type Shown = Pick<StrategyDetails, 'urlId' | 'title'>;

export type StrategyPageProps = Readonly<{
  urlId: string;
  /** Empty if there are no chart images. */
  chartImageOrigin: string;
  /** Buttons beside the title, from other features. */
  renderActions: (strategy: Shown) => ReactNode;
  renderPlace: RenderPlace;
  renderRank: RenderRank;
  /** The captured chart, from another feature. */
  renderPerformance: (strategy: Shown) => ReactNode;
  /** Beside the way back. */
  navigation: ReactNode;
  /** Sections of other features at the end of the page. */
  children?: ReactNode;
}>;

const Back = (): JSX.Element => (
  <Link className="back" to="/?section=strategy-explorer">
    <Icon name="left" />
    Back to the explorer
  </Link>
);

const Description = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => (
  <section className="detail-text">
    <h2>Strategy Description</h2>
    <p className="prose description">{details.fullDescription ?? 'No description available'}</p>
    {details.howItWorks && (
      <>
        <h3>How it works</h3>
        <p className="prose description">{details.howItWorks}</p>
      </>
    )}
  </section>
);

const Code = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => {
  if (details.pineScript) {
    return <PineCode key={details.urlId} code={details.pineScript} statedVersion={details.pineVersion} />;
  }
  if (!details.sourceCodeIncluded) {
    return <UpgradeNotice text={missingFeatureText('sourceCode')} />;
  }
  return <p className="notice">The source code of this strategy has not been published.</p>;
};

type LoadedProps = Omit<StrategyPageProps, 'urlId' | 'navigation'> & Readonly<{ details: StrategyDetails }>;

const Loaded = (props: LoadedProps): JSX.Element => {
  const { details, chartImageOrigin, children } = props;
  const { renderActions, renderPlace, renderRank, renderPerformance } = props;
  return (
    <>
      <StrategyHead details={details} actions={renderActions(details)} />
      <StrategyFigures details={details} renderPlace={renderPlace} />
      <div className="detail-grid">
        <StrategyCharts
          urlId={details.urlId}
          title={details.title}
          chartImageOrigin={chartImageOrigin}
          performance={renderPerformance(details)}
        />
        <StrategyFacts details={details} renderRank={renderRank} />
      </div>
      <Description details={details} />
      <Code details={details} />
      {children}
    </>
  );
};

type MessageProps = Readonly<{ title: string; text: string; children?: ReactNode }>;

const Message = ({ title, text, children }: MessageProps): JSX.Element => (
  <div className="empty" style={{ '--position': '30%' }}>
    <div className="tape" aria-hidden="true" />
    <h1>{title}</h1>
    <p>{text}</p>
    {children}
  </div>
);

type FailedProps = Readonly<{ error: unknown; isRetrying: boolean; onRetry: () => void }>;

const Failed = ({ error, isRetrying, onRetry }: FailedProps): JSX.Element => {
  const { text, details } = problemOf(error, 'The server did not answer as expected.');
  return (
    <Message title="Strategy could not be loaded" text={text}>
      <button className="btn btn--primary" type="button" aria-busy={isRetrying} onClick={onRetry}>
        <Icon name="refresh" />
        Try again
      </button>
      {details !== null && <ErrorDetails details={details} />}
    </Message>
  );
};

const titleOf = (details: StrategyDetails | undefined, isMissing: boolean, isFailed: boolean): string => {
  if (details) return details.title;
  if (isMissing) return 'Strategy not found';
  return isFailed ? 'Strategy could not be loaded' : 'Strategy';
};

export const StrategyPage = ({ urlId, navigation, ...rest }: StrategyPageProps): JSX.Element => {
  const { currentData, error, isFetching, refetch } = useStrategyDetailsQuery(urlId);
  const details = useAppearing(currentData);
  const isMissing = !details && error !== undefined && 'status' in error && error.status === 404;
  const isFailed = !details && error !== undefined && !isMissing;
  usePageTitle(`${titleOf(details, isMissing, isFailed)} · Tapedeck`);
  return (
    <main className="wrap detail" id="main" aria-busy={isFetching}>
      <div className="detail-ways">
        <Back />
        {navigation}
      </div>
      {details && <Loaded details={details} {...rest} />}
      {isMissing && (
        <Message
          title="Strategy not found"
          text="It may have been removed from the catalogue, or the address is wrong."
        />
      )}
      {isFailed && <Failed error={error} isRetrying={isFetching} onRetry={() => void refetch()} />}
      {!details && !error && (
        <>
          <h1 className="visually-hidden">Strategy</h1>
          <p className="spinner" role="status">
            <Icon name="refresh" />
            Loading strategy
          </p>
          <StillWorking />
        </>
      )}
    </main>
  );
};
