import { above, crosses, float, int, type Block } from './block.ts';

export const trend: readonly Block[] = [
  {
    indicator: 'Supertrend',
    from: 4,
    inputs: [
      int('stPeriod', 'Supertrend ATR Period', 7, 10, 12, 14, 20),
      float('stFactor', 'Supertrend Factor', 1.5, 2, 2.5, 3, 4),
    ],
    code: ({ ta }) => [`[stLine, stDirection] = ${ta('supertrend')}(stFactor, stPeriod)`],
    trigger: ({ ta }) => ({
      long: `${ta('change')}(stDirection) < 0`,
      short: `${ta('change')}(stDirection) > 0`,
    }),
    filter: () => ({ long: 'stDirection < 0', short: 'stDirection > 0' }),
    draws: ['stLine'],
    words: {
      about: 'the Supertrend line',
      trigger: 'the Supertrend line changes sides',
      filter: 'the Supertrend line agrees with the direction',
    },
  },
  {
    indicator: 'ADX',
    uses: ['RMA'],
    inputs: [
      int('adxLength', 'ADX Length', 10, 14, 20),
      int('adxThreshold', 'ADX Threshold', 18, 20, 22, 25, 30),
    ],
    code: ({ ta, math }) => [
      `adxUp = ${ta('change')}(high)`,
      `adxDown = -${ta('change')}(low)`,
      'plusMove = adxUp > adxDown and adxUp > 0 ? adxUp : 0.0',
      'minusMove = adxDown > adxUp and adxDown > 0 ? adxDown : 0.0',
      `adxRange = ${ta('rma')}(${ta('tr')}, adxLength)`,
      `plusDI = 100 * ${ta('rma')}(plusMove, adxLength) / adxRange`,
      `minusDI = 100 * ${ta('rma')}(minusMove, adxLength) / adxRange`,
      `adxValue = 100 * ${ta('rma')}(${math('abs')}(plusDI - minusDI) / ${math('max')}(plusDI + minusDI, 1), adxLength)`,
    ],
    trigger: (dialect) => crosses(dialect, 'plusDI', 'minusDI'),
    filter: () => ({
      long: 'adxValue > adxThreshold and plusDI > minusDI',
      short: 'adxValue > adxThreshold and plusDI < minusDI',
    }),
    words: {
      about: 'directional movement and the ADX',
      trigger: '+DI and −DI cross',
      filter: 'the ADX says that there is a trend, in that direction',
    },
  },
  {
    indicator: 'ichimoku',
    inputs: [
      int('tenkanLength', 'Tenkan Length', 7, 9, 20),
      int('kijunLength', 'Kijun Length', 22, 26, 60),
      int('spanLength', 'Span B Length', 44, 52, 120),
    ],
    code: ({ ta }) => [
      `middleOf(len) => (${ta('highest')}(high, len) + ${ta('lowest')}(low, len)) / 2`,
      'tenkan = middleOf(tenkanLength)',
      'kijun = middleOf(kijunLength)',
      'spanA = (tenkan + kijun) / 2',
      'spanB = middleOf(spanLength)',
    ],
    trigger: (dialect) => crosses(dialect, 'tenkan', 'kijun'),
    filter: ({ math }) => ({
      long: `close > ${math('max')}(spanA[26], spanB[26])`,
      short: `close < ${math('min')}(spanA[26], spanB[26])`,
    }),
    draws: ['tenkan', 'kijun'],
    words: {
      about: 'the Ichimoku cloud',
      trigger: 'the conversion line crosses the base line',
      filter: 'price has left the Ichimoku cloud on that side',
    },
  },
  {
    indicator: 'Parabolic SAR',
    inputs: [
      float('sarStart', 'SAR Start', 0.01, 0.02, 0.03),
      float('sarMax', 'SAR Maximum', 0.1, 0.2, 0.25),
    ],
    code: ({ ta }) => [`sarValue = ${ta('sar')}(sarStart, sarStart, sarMax)`],
    trigger: (dialect) => crosses(dialect, 'close', 'sarValue'),
    filter: () => above('close', 'sarValue'),
    draws: ['sarValue'],
    words: {
      about: 'the parabolic SAR',
      trigger: 'the dots of the parabolic SAR change sides',
      filter: 'the parabolic SAR follows on the other side',
    },
  },
  {
    indicator: 'Linear Regression',
    inputs: [int('regressionLength', 'Regression Length', 20, 34, 50, 100, 150)],
    code: ({ ta }) => [
      `regression = ${ta('linreg')}(close, regressionLength, 0)`,
      `regressionBefore = ${ta('linreg')}(close, regressionLength, 1)`,
    ],
    trigger: (dialect) => crosses(dialect, 'close', 'regression'),
    filter: () => above('regression', 'regressionBefore'),
    draws: ['regression'],
    words: {
      about: 'a linear regression through the last bars',
      trigger: 'price crosses its regression line',
      filter: 'the regression line slopes that way',
    },
  },
  {
    indicator: 'Heikin Ashi',
    inputs: [int('haRun', 'Heikin Ashi Candles in a Row', 1, 2, 3)],
    code: ({ ta, security, heikinAshi, timeframe }) => [
      `haOpen = ${security(heikinAshi, timeframe, 'open')}`,
      `haClose = ${security(heikinAshi, timeframe, 'close')}`,
      `haUp = ${ta('lowest')}(haClose - haOpen, haRun) > 0`,
      `haDown = ${ta('highest')}(haClose - haOpen, haRun) < 0`,
    ],
    trigger: () => ({ long: 'haUp and not haUp[1]', short: 'haDown and not haDown[1]' }),
    filter: () => ({ long: 'haUp', short: 'haDown' }),
    words: {
      about: 'Heikin Ashi candles',
      trigger: 'the Heikin Ashi candles change their colour',
      filter: 'the Heikin Ashi candles show that colour',
    },
  },
  {
    indicator: 'Aroon',
    inputs: [int('aroonLength', 'Aroon Length', 14, 20, 25, 50)],
    code: ({ ta }) => [
      `aroonUp = 100 * (${ta('highestbars')}(high, aroonLength + 1) + aroonLength) / aroonLength`,
      `aroonDown = 100 * (${ta('lowestbars')}(low, aroonLength + 1) + aroonLength) / aroonLength`,
    ],
    trigger: (dialect) => crosses(dialect, 'aroonUp', 'aroonDown'),
    filter: () => ({ long: 'aroonUp > 70', short: 'aroonDown > 70' }),
    words: {
      about: 'the Aroon lines',
      trigger: 'the two Aroon lines cross',
      filter: 'a fresh extreme shows in the Aroon line',
    },
  },
  {
    indicator: 'Vortex',
    inputs: [int('vortexLength', 'Vortex Length', 14, 21, 28)],
    code: ({ ta, math }) => [
      `vortexRange = ${math('sum')}(${ta('tr')}, vortexLength)`,
      `vortexPlus = ${math('sum')}(${math('abs')}(high - low[1]), vortexLength) / vortexRange`,
      `vortexMinus = ${math('sum')}(${math('abs')}(low - high[1]), vortexLength) / vortexRange`,
    ],
    trigger: (dialect) => crosses(dialect, 'vortexPlus', 'vortexMinus'),
    filter: () => above('vortexPlus', 'vortexMinus'),
    words: {
      about: 'the Vortex indicator',
      trigger: 'the Vortex lines cross',
      filter: 'the Vortex lines stand in that order',
    },
  },
];
