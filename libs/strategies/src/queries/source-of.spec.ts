import { describe, expect, it } from '@jest/globals';
import { sourceOf } from './source-of.ts';

const site = 'https://charts.example';

describe('the source of a strategy', () => {
  it.each([
    ['https://github.com/a/b', site, 'https://github.com/a/b', false],
    [
      'https://www.tradingview.com/script/AbCd1234-x/',
      site,
      'https://www.tradingview.com/script/AbCd1234-x/',
      true,
    ],
    ['https://nottradingview.com/script/x/', site, 'https://nottradingview.com/script/x/', false],
    ['https://charts.example/script/x/', site, 'https://charts.example/script/x/', true],
    [null, site, 'https://charts.example/script/AbCd1234/', true],
    ['javascript:alert(1)', site, 'https://charts.example/script/AbCd1234/', true],
    ['see the forum', site, 'https://charts.example/script/AbCd1234/', true],
    [null, '', null, false],
    ['see the forum', '', null, false],
  ])('given as %j, with the charting site %j, is %j', (given, chartOrigin, sourceUrl, isOnChartingSite) => {
    expect(sourceOf({ urlId: 'AbCd1234', sourceUrl: given }, chartOrigin)).toEqual({
      sourceUrl,
      isOnChartingSite,
    });
  });
});
