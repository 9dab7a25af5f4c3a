import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { missing } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { webAddress } from './figures.ts';

type SourceLinkProps = Readonly<{
  details: Pick<StrategyDetails, 'sourceUrl' | 'isOnChartingSite'>;
  className: string;
}>;

/** The page of the script, in a new tab. */
export const SourceLink = ({ details, className }: SourceLinkProps): JSX.Element => {
  const address = webAddress(details.sourceUrl);
  if (!address) return <>{missing}</>;
  return (
    <a className={className} href={address} target="_blank" rel="noreferrer">
      <span>{details.isOnChartingSite ? 'View on TradingView' : 'View source'}</span>
      <Icon name="external" />
    </a>
  );
};

export const hasSource = ({ sourceUrl }: Pick<StrategyDetails, 'sourceUrl'>): boolean =>
  webAddress(sourceUrl) !== null;
