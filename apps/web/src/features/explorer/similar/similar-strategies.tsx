import type { StrategyListItem } from '@tapedeck/explorer/contract';
import { useCallback, type JSX, type ReactNode } from 'react';
import { isNotIncluded } from '../../../api/base-api.ts';
import { detailsOf, problemText } from '../../../api/problem-text.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { UpgradeNotice } from '../../../ui/upgrade-notice.tsx';
import { CompareButton } from '../compare/compare-button.tsx';
import { useExploreQuery } from '../explorer.api.ts';
import { CardSkeletons, StrategyCard, useCardEdges } from '../results/strategy-card.tsx';
import { maxSimilar, useSimilarStrategiesQuery } from './similar.api.ts';

export type SimilarStrategiesProps = Readonly<{
  urlId: string;
  chartImageOrigin: string;
  renderAction: (strategy: StrategyListItem) => ReactNode;
}>;

/** The unfiltered first page, which is usually cached, has the bin edges for the cards' meters. */
const unfiltered = { query: '', catalogue: null, uncachedRequests: 0 };

const Cards = ({ urlId, chartImageOrigin, renderAction }: SimilarStrategiesProps): JSX.Element => {
  const { currentData, error, isFetching, refetch } = useSimilarStrategiesQuery(urlId);
  const { data: exploration } = useExploreQuery(unfiltered);
  const edges = useCardEdges(exploration);
  const renderActions = useCallback(
    (strategy: StrategyListItem) => (
      <>
        <CompareButton urlId={strategy.url_id} strategyTitle={strategy.title} />
        {renderAction(strategy)}
      </>
    ),
    [renderAction],
  );
  if (isNotIncluded(error))
    return <UpgradeNotice text={problemText(error, 'Your plan does not include it.')} />;
  if (error) {
    return (
      <RetryNotice
        text="Similar strategies could not be loaded."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!currentData) {
    return (
      <div className="cards" aria-busy="true">
        <CardSkeletons count={maxSimilar} />
      </div>
    );
  }
  if (currentData.strategies.length === 0) {
    return <p className="hint">None: too few of this strategy’s figures are known for a comparison.</p>;
  }
  return (
    <div className="cards">
      {currentData.strategies.map((strategy) => (
        <StrategyCard
          key={strategy.url_id}
          strategy={strategy}
          edges={edges}
          chartImageOrigin={chartImageOrigin}
          renderAction={renderActions}
          heading="h3"
        />
      ))}
    </div>
  );
};

/** The section of a strategy's page with the strategies whose figures are nearest to its own. */
export const SimilarStrategies = (props: SimilarStrategiesProps): JSX.Element => (
  <section className="similar" aria-labelledby="similar-title">
    <h2 id="similar-title">Similar strategies</h2>
    <Cards {...props} />
  </section>
);
