import type { StrategyDetails } from '../contract.ts';

type Source = Pick<StrategyDetails, 'sourceUrl' | 'isOnChartingSite'>;

/** Sources write anything into the field; only an address of the web can be opened. */
const webAddressOf = (text: string | null): URL | null =>
  text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;

/** Where the script itself can be read. `chartOrigin` is empty when there is no charting site. */
export const sourceOf = (
  { urlId, sourceUrl }: Pick<StrategyDetails, 'urlId' | 'sourceUrl'>,
  chartOrigin: string,
): Source => {
  const given = webAddressOf(sourceUrl);
  if (given) {
    const isOnChartingSite = given.origin === chartOrigin || /(^|\.)tradingview\.com$/.test(given.hostname);
    return { sourceUrl, isOnChartingSite };
  }
  if (chartOrigin === '') return { sourceUrl: null, isOnChartingSite: false };
  return { sourceUrl: `${chartOrigin}/script/${urlId}/`, isOnChartingSite: true };
};
