import type { JSX } from 'react';
import { useParams } from 'react-router-dom';
import { WideStarButton } from '../../features/favourites/star-button.tsx';
import { StrategyPage as Strategy } from '../../features/strategies/strategy-page.tsx';

export const StrategyPage = (): JSX.Element => {
  const { urlId = '' } = useParams();
  return (
    <Strategy
      key={urlId}
      urlId={urlId}
      renderAction={({ title }) => <WideStarButton urlId={urlId} strategyTitle={title} />}
    />
  );
};
