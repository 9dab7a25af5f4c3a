import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { useParams } from 'react-router-dom';
import { SimilarStrategies } from '../../features/explorer/similar/similar-strategies.tsx';
import { StarButton, WideStarButton } from '../../features/favourites/star-button.tsx';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { StrategyPage as Strategy } from '../../features/strategies/strategy-page.tsx';

const renderStar = ({ url_id: urlId, title }: StrategyListItem): JSX.Element => (
  <StarButton key={urlId} urlId={urlId} strategyTitle={title} />
);

export const StrategyPage = (): JSX.Element => {
  const { urlId = '' } = useParams();
  const { data: config } = useClientConfigQuery();
  return (
    <Strategy
      key={urlId}
      urlId={urlId}
      renderAction={({ title }) => <WideStarButton urlId={urlId} strategyTitle={title} />}
    >
      <SimilarStrategies
        urlId={urlId}
        chartImageOrigin={config?.chartImageOrigin ?? ''}
        renderAction={renderStar}
      />
    </Strategy>
  );
};
