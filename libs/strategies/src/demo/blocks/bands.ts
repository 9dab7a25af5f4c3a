import { above, crosses, float, int, type Block } from './block.ts';

export const bands: readonly Block[] = [
  {
    indicator: 'Bollinger Bands',
    uses: ['SMA'],
    inputs: [
      int('bandLength', 'Bollinger Length', 14, 20, 30, 50),
      float('bandWidth', 'Bollinger Deviation', 1.5, 2, 2.5, 3),
    ],
    code: ({ ta }) => [
      `bandBasis = ${ta('sma')}(close, bandLength)`,
      `bandSpread = bandWidth * ${ta('stdev')}(close, bandLength)`,
      'bandUpper = bandBasis + bandSpread',
      'bandLower = bandBasis - bandSpread',
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, bandLower)`,
      short: `${ta('crossunder')}(close, bandUpper)`,
    }),
    filter: () => above('close', 'bandBasis'),
    draws: ['bandUpper', 'bandLower'],
    words: {
      about: 'Bollinger Bands',
      trigger: 'price comes back inside its Bollinger Bands',
      filter: 'price is in that half of its Bollinger Bands',
    },
  },
  {
    indicator: 'Keltner Channels',
    uses: ['EMA', 'ATR'],
    inputs: [
      int('keltnerLength', 'Keltner Length', 10, 20, 30),
      float('keltnerFactor', 'Keltner Factor', 1, 1.5, 2, 2.5),
    ],
    code: ({ ta }) => [
      `keltnerBasis = ${ta('ema')}(close, keltnerLength)`,
      `keltnerReach = keltnerFactor * ${ta('atr')}(keltnerLength)`,
      'keltnerUpper = keltnerBasis + keltnerReach',
      'keltnerLower = keltnerBasis - keltnerReach',
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, keltnerUpper)`,
      short: `${ta('crossunder')}(close, keltnerLower)`,
    }),
    filter: () => above('close', 'keltnerBasis'),
    draws: ['keltnerUpper', 'keltnerLower'],
    words: {
      about: 'Keltner Channels',
      trigger: 'price breaks out of its Keltner Channel',
      filter: 'price is in that half of its Keltner Channel',
    },
  },
  {
    indicator: 'Donchian Channels',
    inputs: [int('channelLength', 'Donchian Length', 10, 20, 40, 55)],
    code: ({ ta }) => [
      `channelUpper = ${ta('highest')}(high, channelLength)[1]`,
      `channelLower = ${ta('lowest')}(low, channelLength)[1]`,
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, channelUpper)`,
      short: `${ta('crossunder')}(close, channelLower)`,
    }),
    filter: () => above('close', '(channelUpper + channelLower) / 2'),
    draws: ['channelUpper', 'channelLower'],
    words: {
      about: 'Donchian Channels',
      trigger: 'price leaves its Donchian Channel',
      filter: 'price is in that half of its Donchian Channel',
    },
  },
  {
    indicator: 'ATR',
    inputs: [
      int('rangeLength', 'ATR Length', 7, 10, 14, 21),
      float('rangeFactor', 'ATR Breakout Factor', 0.5, 1, 1.5, 2),
    ],
    code: ({ ta }) => [`rangeValue = ${ta('atr')}(rangeLength)`],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(close, close[1] + rangeFactor * rangeValue[1])`,
      short: `${ta('crossunder')}(close, close[1] - rangeFactor * rangeValue[1])`,
    }),
    filter: ({ ta }) => {
      const lively = `rangeValue > ${ta('lowest')}(rangeValue, 50) * 1.1`;
      return { long: lively, short: lively };
    },
    words: {
      about: 'the average true range',
      trigger: 'a bar moves further than the ATR allows for',
      filter: 'the ATR says that the market moves at all',
    },
  },
  {
    indicator: 'VIX Fix',
    uses: ['SMA'],
    inputs: [
      int('fearLength', 'VIX Fix Length', 16, 22, 30),
      float('fearDeviation', 'VIX Fix Deviation', 1.5, 2, 2.5),
    ],
    code: ({ ta }) => [
      `fearTop = ${ta('highest')}(close, fearLength)`,
      'fearValue = 100 * (fearTop - low) / fearTop',
      `fearLimit = ${ta('sma')}(fearValue, 20) + fearDeviation * ${ta('stdev')}(fearValue, 20)`,
    ],
    trigger: (dialect) => {
      const { long, short } = crosses(dialect, 'fearValue', 'fearLimit');
      return { long: short, short: long };
    },
    filter: () => ({ long: 'fearValue < fearLimit', short: 'fearValue > 0' }),
    words: {
      about: 'the VIX Fix, a gauge of fear made from price alone',
      trigger: 'fear fades after a spike of the VIX Fix',
      filter: 'the VIX Fix is calm enough',
    },
  },
];
