import { above, crosses, float, int, type Block } from './block.ts';

export const volumeAndLevels: readonly Block[] = [
  {
    indicator: 'VWAP',
    inputs: [int('vwapSmooth', 'VWAP Lookback', 1, 2, 3, 5)],
    code: ({ version }) => [`vwapValue = ${version >= 5 ? 'ta.vwap(hlc3)' : 'vwap'}`],
    trigger: (dialect) => crosses(dialect, 'close', 'vwapValue'),
    filter: () => above('close', 'vwapValue[vwapSmooth]'),
    draws: ['vwapValue'],
    words: {
      about: 'the volume-weighted average price of the day',
      trigger: 'price crosses its VWAP',
      filter: 'price is on that side of its VWAP',
    },
  },
  {
    indicator: 'OBV',
    uses: ['EMA'],
    inputs: [int('obvLength', 'OBV Average Length', 10, 20, 30, 50)],
    code: ({ ta, version }) => [
      ...(version >= 5
        ? ['obvValue = ta.obv']
        : ['obvValue = cum(change(close) > 0 ? volume : change(close) < 0 ? -volume : 0 * volume)']),
      `obvAverage = ${ta('ema')}(obvValue, obvLength)`,
    ],
    trigger: (dialect) => crosses(dialect, 'obvValue', 'obvAverage'),
    filter: () => above('obvValue', 'obvAverage'),
    words: {
      about: 'on-balance volume',
      trigger: 'on-balance volume crosses its average',
      filter: 'on-balance volume confirms the move',
    },
  },
  {
    indicator: 'MFI',
    inputs: [int('mfiLength', 'MFI Length', 10, 14, 20), int('mfiLow', 'MFI Lower Level', 15, 20, 25, 30)],
    code: ({ ta }) => [`mfiValue = ${ta('mfi')}(hlc3, mfiLength)`],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(mfiValue, mfiLow)`,
      short: `${ta('crossunder')}(mfiValue, 100 - mfiLow)`,
    }),
    filter: () => above('mfiValue', '50'),
    words: {
      about: 'the money flow index',
      trigger: 'money flow comes back from an extreme',
      filter: 'money flows that way',
    },
  },
  {
    indicator: 'CMF',
    inputs: [int('cmfLength', 'CMF Length', 10, 20, 21), float('cmfLevel', 'CMF Level', 0.02, 0.05, 0.1)],
    code: ({ math }) => [
      'flowShare = high == low ? 0.0 : (2 * close - low - high) / (high - low)',
      `cmfValue = ${math('sum')}(flowShare * volume, cmfLength) / ${math('sum')}(volume, cmfLength)`,
    ],
    trigger: (dialect) => crosses(dialect, 'cmfValue', '0'),
    filter: () => ({ long: 'cmfValue > cmfLevel', short: 'cmfValue < -cmfLevel' }),
    words: {
      about: "Chaikin's money flow",
      trigger: 'the money flow of Chaikin changes its sign',
      filter: 'the money flow of Chaikin is strong enough',
    },
  },
  {
    indicator: 'Pivot Points',
    inputs: [int('pivotReach', 'Pivot Lookback Days', 1, 2, 3)],
    code: ({ security, ticker }) => [
      `dayHigh = ${security(ticker, '"D"', 'high[1]')}`,
      `dayLow = ${security(ticker, '"D"', 'low[1]')}`,
      `dayClose = ${security(ticker, '"D"', 'close[1]')}`,
      'pivotPoint = (dayHigh + dayLow + dayClose) / 3',
      'pivotResistance = pivotPoint + pivotReach * (pivotPoint - dayLow)',
      'pivotSupport = pivotPoint - pivotReach * (dayHigh - pivotPoint)',
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, pivotSupport)`,
      short: `${ta('crossunder')}(close, pivotResistance)`,
    }),
    filter: () => above('close', 'pivotPoint'),
    draws: ['pivotSupport', 'pivotResistance'],
    words: {
      about: "yesterday's pivot points",
      trigger: 'price turns at a pivot level',
      filter: 'price is on that side of the pivot',
    },
  },
  {
    indicator: 'Fibonacci',
    inputs: [int('swingLength', 'Fibonacci Swing Length', 34, 55, 89, 144)],
    code: ({ ta }) => [
      `swingHigh = ${ta('highest')}(high, swingLength)`,
      `swingLow = ${ta('lowest')}(low, swingLength)`,
      'fib382 = swingLow + 0.382 * (swingHigh - swingLow)',
      'fib618 = swingLow + 0.618 * (swingHigh - swingLow)',
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, fib382)`,
      short: `${ta('crossunder')}(close, fib618)`,
    }),
    filter: () => ({ long: 'close < fib618', short: 'close > fib382' }),
    draws: ['fib382', 'fib618'],
    words: {
      about: 'Fibonacci retracements of the last swing',
      trigger: 'price turns at a Fibonacci level',
      filter: 'there is room to the next Fibonacci level',
    },
  },
  {
    indicator: 'ZigZag',
    inputs: [int('legLength', 'ZigZag Leg Length', 5, 8, 10, 13)],
    code: ({ ta }) => {
      const pivot = (side: 'high' | 'low'): string => `${ta(`pivot${side}`)}(${side}, legLength, legLength)`;
      return [
        `zigzagTop = ${pivot('high')}`,
        `zigzagBottom = ${pivot('low')}`,
        `lastTop = ${ta('valuewhen')}(not na(zigzagTop), zigzagTop, 0)`,
        `lastBottom = ${ta('valuewhen')}(not na(zigzagBottom), zigzagBottom, 0)`,
      ];
    },
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, lastTop)`,
      short: `${ta('crossunder')}(close, lastBottom)`,
    }),
    filter: () => above('close', '(lastTop + lastBottom) / 2'),
    draws: ['lastTop', 'lastBottom'],
    words: {
      about: 'the turning points of a ZigZag',
      trigger: 'price passes the last turning point of the ZigZag',
      filter: 'price is in that half of the last ZigZag leg',
    },
  },
];
