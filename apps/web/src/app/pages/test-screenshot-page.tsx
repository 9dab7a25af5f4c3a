import type { JSX } from 'react';
import { useSampleStrategyQuery } from '../../features/chart-capture/chart-capture.api.ts';
import { PerformanceChart } from '../../features/chart-capture/performance-chart.tsx';
import { detailsOf, problemText } from '../../api/problem-text.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';

/** `/test-screenshot`: shows whether charts can be captured, with one fixed strategy, for everybody. */
export const TestScreenshotPage = (): JSX.Element => {
  usePageTitle('Chart capture test · Tapedeck');
  const { data: sample, error, isFetching, refetch } = useSampleStrategyQuery();
  return (
    <main className="wrap member-page narrow-page" id="main" aria-busy={isFetching}>
      <h1>Chart capture test</h1>
      <p className="prose">
        The performance chart of one strategy{sample && ` (${sample.urlId})`}, captured from the charting site
        as it is for every strategy page.
      </p>
      {sample && <PerformanceChart urlId={sample.urlId} />}
      {error && (
        <RetryNotice
          text={problemText(error, 'The sample strategy could not be loaded.')}
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </main>
  );
};
