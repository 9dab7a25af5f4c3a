import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { ExplorerPage } from '../../features/explorer/explorer-page.tsx';
import { StarButton } from '../../features/favourites/star-button.tsx';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';

const renderStar = ({ url_id: urlId, title }: StrategyListItem): JSX.Element => (
  <StarButton key={urlId} urlId={urlId} strategyTitle={title} />
);

export const StrategiesPage = (): JSX.Element => {
  usePageTitle('Strategy Explorer · Tapedeck');
  const { data: config } = useClientConfigQuery();
  return <ExplorerPage chartImageOrigin={config?.chartImageOrigin ?? ''} renderAction={renderStar} />;
};
