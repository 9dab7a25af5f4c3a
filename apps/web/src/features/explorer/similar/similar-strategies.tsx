import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { JSX, ReactNode } from 'react';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { useCardEdges } from '../results/card-edges.ts';
import { useExploreQuery } from '../explorer.api.ts';
import { mostSimilar, useSimilarQuery } from './similar.api.ts';
import { StrategyCard, StrategyCardSkeleton } from '../results/strategy-card.tsx';

export type SimilarStrategiesProps = Readonly<{
  urlId: string;
  chartImageOrigin: string;
  renderAction: (strategy: StrategyListItem) => ReactNode;
}>;

/** The unfiltered first page, which most have seen already: the bars of its cards have their steps from it. */
const anyExploration = { query: '', catalogue: null, unheard: 0 };

const Cards = ({ urlId, chartImageOrigin, renderAction }: SimilarStrategiesProps): JSX.Element => {
  const { currentData, isError, isFetching, refetch } = useSimilarQuery(urlId);
  const { data: exploration } = useExploreQuery(anyExploration);
  const edges = useCardEdges(exploration);
  if (isError) {
    return (
      <RetryNotice
        words="Similar strategies could not be loaded."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!currentData) {
    return (
      <div className="cards" aria-busy="true">
        {Array.from({ length: mostSimilar }, (_, at) => (
          <StrategyCardSkeleton key={at} />
        ))}
      </div>
    );
  }
  if (currentData.strategies.length === 0) {
    return <p className="hint">None: too few of its figures are known to tell what is like it.</p>;
  }
  return (
    <div className="cards">
      {currentData.strategies.map((strategy) => (
        <StrategyCard
          key={strategy.url_id}
          strategy={strategy}
          edges={edges}
          chartImageOrigin={chartImageOrigin}
          renderAction={renderAction}
          heading="h3"
        />
      ))}
    </div>
  );
};

/** Those that stand nearest to a strategy in the distributions of its figures. */
export const SimilarStrategies = (props: SimilarStrategiesProps): JSX.Element => (
  <section className="similar" aria-labelledby="similar-title">
    <h2 id="similar-title">Similar strategies</h2>
    <Cards {...props} />
  </section>
);
