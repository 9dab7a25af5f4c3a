import { chartTexts, type ChartPicture } from '@tapedeck/chart-capture/contract';
import { useId, useState, type JSX } from 'react';
import { useFocusAfterRemoval } from '../../ui/browser/use-focus-after-removal.ts';
import { useWaitedMs } from '../../ui/browser/use-waited-ms.ts';
import { formatDay } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePerformanceChartQuery } from './chart-capture.api.ts';
import { chartProblem, type ChartProblem } from './chart-problem.ts';

export type PerformanceChartProps = Readonly<{
  urlId: string;
  /** For people who cannot see the picture. */
  strategyTitle?: string | undefined;
}>;

const longWaitMs = 4_000;
/** A longer wait has no button. */
const maxShownWaitSeconds = 600;

const Loading = (): JSX.Element => {
  const isLong = useWaitedMs(true) >= longWaitMs;
  return (
    <div className="chart-shot-place" role="status">
      <span className="skeleton chart-shot-skeleton" />
      <p className="meta">
        <Icon name="chart" />
        {isLong
          ? 'Capturing the performance chart. This can take half a minute.'
          : 'Loading performance chart'}
      </p>
    </div>
  );
};

const secondsText = (seconds: number): string => (seconds === 1 ? 'a second' : `${seconds} seconds`);

type ProblemProps = Readonly<{ problem: ChartProblem; onRetry: () => void }>;

/** A failed chart waits until the server would try again. */
const Problem = ({ problem, onRetry }: ProblemProps): JSX.Element => {
  const { text, retryAfterSeconds = 0 } = problem;
  const waitedMs = useWaitedMs(true);
  const secondsLeft = Math.max(0, retryAfterSeconds - Math.floor(waitedMs / 1_000));
  const canBeTried = retryAfterSeconds <= maxShownWaitSeconds;
  return (
    <div className="chart-shot-place">
      <div className="chart-shot-problem">
        <Icon name="chart" />
        <div role="alert">
          <p>{text}</p>
          {canBeTried && retryAfterSeconds > 0 && (
            <p className="visually-hidden">It can be tried again in {secondsText(retryAfterSeconds)}.</p>
          )}
        </div>
        {canBeTried && (
          <button className="btn btn--sm" type="button" disabled={secondsLeft > 0} onClick={onRetry}>
            <Icon name="refresh" />
            <span>
              Try again
              {/* Not in its name, which would change each second. */}
              {secondsLeft > 0 && <span aria-hidden="true"> in {secondsLeft} s</span>}
            </span>
          </button>
        )}
      </div>
    </div>
  );
};

type PictureProps = Readonly<{ picture: ChartPicture; title: string | undefined; onError: () => void }>;

const Picture = ({ picture, title, onError }: PictureProps): JSX.Element => {
  const { imagePath, width, height, takenAt } = picture;
  return (
    <figure className="chart-shot">
      <img
        src={imagePath}
        width={width}
        height={height}
        alt={`Performance chart${title ? ` of ${title}` : ''}, as the charting site shows it`}
        decoding="async"
        onError={onError}
      />
      <figcaption className="meta">Captured {formatDay(takenAt)}</figcaption>
    </figure>
  );
};

/**
 * The picture of a strategy's performance chart. Opening it has the chart captured, if there is no picture yet: a page that
 * shows it later can render it hidden.
 */
export const PerformanceChart = ({ urlId, strategyTitle }: PerformanceChartProps): JSX.Element => {
  const { currentData: picture, error, isFetching, refetch } = usePerformanceChartQuery(urlId);
  const [broken, setBroken] = useState<string | null>(null);
  const frameId = useId();
  const frame = useFocusAfterRemoval<HTMLDivElement>(frameId);
  const isBroken = picture !== undefined && broken === picture.imagePath;
  const problem = isBroken ? { text: chartTexts.undisplayable } : chartProblem(error);
  const retry = (): void => {
    setBroken(null);
    void refetch();
  };
  return (
    <div
      ref={frame}
      id={frameId}
      className="chart-shot-frame"
      role="group"
      aria-label="Performance chart"
      aria-busy={isFetching}
      tabIndex={-1}
    >
      {isFetching && !picture && <Loading />}
      {picture && !isBroken && (
        <Picture picture={picture} title={strategyTitle} onError={() => setBroken(picture.imagePath)} />
      )}
      {!isFetching && problem && (isBroken || !picture) && <Problem problem={problem} onRetry={retry} />}
    </div>
  );
};
