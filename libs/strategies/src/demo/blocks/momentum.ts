import { above, crosses, float, int, type Block } from './block.ts';

export const momentum: readonly Block[] = [
  {
    indicator: 'RSI',
    inputs: [
      int('rsiLength', 'RSI Length', 2, 7, 9, 14, 21),
      int('rsiLow', 'RSI Oversold', 20, 25, 30, 35, 40),
      int('rsiHigh', 'RSI Overbought', 60, 65, 70, 75, 80),
    ],
    code: ({ ta }) => [`rsiValue = ${ta('rsi')}(close, rsiLength)`],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(rsiValue, rsiLow)`,
      short: `${ta('crossunder')}(rsiValue, rsiHigh)`,
    }),
    filter: () => above('rsiValue', '50'),
    words: {
      about: 'the relative strength index',
      trigger: 'the RSI comes back from an extreme',
      filter: 'the RSI stands on that side of its middle',
    },
  },
  {
    indicator: 'MACD',
    inputs: [
      int('macdFast', 'MACD Fast Length', 8, 12, 19),
      int('macdSlow', 'MACD Slow Length', 21, 26, 39),
      int('macdSmooth', 'MACD Signal Length', 5, 7, 9),
    ],
    code: ({ ta }) => [
      `[macdLine, macdSignal, macdHist] = ${ta('macd')}(close, macdFast, macdSlow, macdSmooth)`,
    ],
    trigger: (dialect) => crosses(dialect, 'macdLine', 'macdSignal'),
    filter: () => above('macdHist', '0'),
    words: {
      about: 'the MACD and its signal line',
      trigger: 'the MACD crosses its signal line',
      filter: 'the MACD histogram is on that side of zero',
    },
  },
  {
    indicator: 'Stochastic',
    uses: ['SMA'],
    inputs: [
      int('stochLength', 'Stochastic Length', 5, 8, 14, 21),
      int('stochSmooth', 'Stochastic Smoothing', 1, 2, 3, 5),
      int('stochLow', 'Stochastic Lower Band', 15, 20, 25),
    ],
    code: ({ ta }) => [
      `stochK = ${ta('sma')}(${ta('stoch')}(close, high, low, stochLength), stochSmooth)`,
      `stochD = ${ta('sma')}(stochK, 3)`,
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(stochK, stochD) and stochK < stochLow + 10`,
      short: `${ta('crossunder')}(stochK, stochD) and stochK > 90 - stochLow`,
    }),
    filter: () => ({ long: 'stochK < 100 - stochLow', short: 'stochK > stochLow' }),
    words: {
      about: 'the stochastic oscillator',
      trigger: 'the stochastic lines cross near an edge',
      filter: 'the stochastic has room left to move',
    },
  },
  {
    indicator: 'CCI',
    inputs: [int('cciLength', 'CCI Length', 14, 20, 34, 50), int('cciLevel', 'CCI Level', 50, 100, 150)],
    code: ({ ta }) => [`cciValue = ${ta('cci')}(hlc3, cciLength)`],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(cciValue, -cciLevel)`,
      short: `${ta('crossunder')}(cciValue, cciLevel)`,
    }),
    filter: () => above('cciValue', '0'),
    words: {
      about: 'the commodity channel index',
      trigger: 'the CCI returns into its channel',
      filter: 'the CCI is on that side of zero',
    },
  },
  {
    indicator: 'Momentum',
    inputs: [int('momentumLength', 'Momentum Length', 10, 12, 20, 30)],
    code: ({ ta }) => [`momentumValue = ${ta('mom')}(close, momentumLength)`],
    trigger: (dialect) => crosses(dialect, 'momentumValue', '0'),
    filter: () => above('momentumValue', 'momentumValue[1]'),
    words: { about: 'plain momentum', trigger: 'momentum crosses zero', filter: 'momentum grows that way' },
  },
  {
    indicator: 'ROC',
    inputs: [int('rocLength', 'ROC Length', 9, 14, 21, 90)],
    code: ({ ta }) => [`rocValue = ${ta('roc')}(close, rocLength)`],
    trigger: (dialect) => crosses(dialect, 'rocValue', '0'),
    filter: () => above('rocValue', '0'),
    words: {
      about: 'the rate of change',
      trigger: 'the rate of change crosses zero',
      filter: 'the rate of change has that sign',
    },
  },
  {
    indicator: 'CMO',
    from: 4,
    inputs: [int('cmoLength', 'CMO Length', 9, 14, 20), int('cmoLevel', 'CMO Level', 30, 40, 50)],
    code: ({ ta }) => [`cmoValue = ${ta('cmo')}(close, cmoLength)`],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(cmoValue, -cmoLevel)`,
      short: `${ta('crossunder')}(cmoValue, cmoLevel)`,
    }),
    filter: () => above('cmoValue', '0'),
    words: {
      about: "Chande's momentum oscillator",
      trigger: 'the CMO turns at its level',
      filter: 'the CMO has that sign',
    },
  },
  {
    indicator: 'TSI',
    uses: ['EMA'],
    inputs: [int('tsiShort', 'TSI Short Length', 7, 13), int('tsiLong', 'TSI Long Length', 25, 35)],
    code: ({ ta }) => [
      `tsiValue = 100 * ${ta('tsi')}(close, tsiShort, tsiLong)`,
      `tsiSignal = ${ta('ema')}(tsiValue, tsiShort)`,
    ],
    trigger: (dialect) => crosses(dialect, 'tsiValue', 'tsiSignal'),
    filter: () => above('tsiValue', '0'),
    words: {
      about: 'the true strength index',
      trigger: 'the TSI crosses its signal',
      filter: 'the TSI is on that side of zero',
    },
  },
  {
    indicator: 'Williams %R',
    inputs: [int('wprLength', 'Williams %R Length', 10, 14, 21)],
    code: ({ ta }) => [
      `wprTop = ${ta('highest')}(high, wprLength)`,
      `wprValue = -100 * (wprTop - close) / (wprTop - ${ta('lowest')}(low, wprLength))`,
    ],
    trigger: ({ ta }) => ({
      long: `${ta('crossover')}(wprValue, -80)`,
      short: `${ta('crossunder')}(wprValue, -20)`,
    }),
    filter: () => above('wprValue', '-50'),
    words: {
      about: 'Williams %R',
      trigger: 'Williams %R leaves its extreme zone',
      filter: 'Williams %R is in that half',
    },
  },
  {
    indicator: 'WaveTrend',
    uses: ['EMA', 'SMA'],
    inputs: [
      int('waveChannel', 'Wave Channel Length', 9, 10, 12),
      int('waveAverage', 'Wave Average Length', 12, 21, 28),
    ],
    code: ({ ta, math }) => [
      `waveMiddle = ${ta('ema')}(hlc3, waveChannel)`,
      `waveSpread = ${ta('ema')}(${math('abs')}(hlc3 - waveMiddle), waveChannel)`,
      `waveOne = ${ta('ema')}((hlc3 - waveMiddle) / (0.015 * waveSpread), waveAverage)`,
      `waveTwo = ${ta('sma')}(waveOne, 4)`,
    ],
    trigger: (dialect) => crosses(dialect, 'waveOne', 'waveTwo'),
    filter: () => ({ long: 'waveOne < 53', short: 'waveOne > -53' }),
    words: {
      about: 'the WaveTrend oscillator',
      trigger: 'the two waves cross',
      filter: 'the wave is not exhausted yet',
    },
  },
  {
    indicator: 'QQE',
    uses: ['RSI', 'EMA'],
    inputs: [int('qqeLength', 'QQE RSI Length', 10, 14), float('qqeFactor', 'QQE Factor', 2.618, 4.236)],
    code: ({ ta, math }) => [
      `qqeSmooth = ${ta('ema')}(${ta('rsi')}(close, qqeLength), 5)`,
      `qqeRange = ${ta('ema')}(${ta('ema')}(${math('abs')}(${ta('change')}(qqeSmooth)), 27), 27) * qqeFactor`,
      'qqeTrail = 50.0',
      'qqeTrail := qqeSmooth > nz(qqeTrail[1], 50)',
      `  ? ${math('max')}(nz(qqeTrail[1], 50), qqeSmooth - qqeRange)`,
      `  : ${math('min')}(nz(qqeTrail[1], 50), qqeSmooth + qqeRange)`,
    ],
    trigger: (dialect) => crosses(dialect, 'qqeSmooth', 'qqeTrail'),
    filter: () => above('qqeSmooth', 'qqeTrail'),
    words: {
      about: 'the QQE trailing level',
      trigger: 'the smoothed RSI crosses its QQE level',
      filter: 'the smoothed RSI keeps to that side of its QQE level',
    },
  },
  {
    indicator: 'Squeeze Momentum',
    uses: ['SMA', 'Linear Regression'],
    inputs: [
      int('squeezeLength', 'Squeeze Length', 14, 20, 26),
      float('squeezeFactor', 'Squeeze Factor', 1.25, 1.5, 2),
    ],
    code: ({ ta }) => [
      `squeezeBasis = ${ta('sma')}(close, squeezeLength)`,
      `squeezeOff = ${ta('stdev')}(close, squeezeLength) * 2 > ${ta('sma')}(${ta('tr')}, squeezeLength) * squeezeFactor`,
      `squeezeValue = ${ta('linreg')}(close - squeezeBasis, squeezeLength, 0)`,
    ],
    trigger: () => ({
      long: 'squeezeOff and not squeezeOff[1] and squeezeValue > 0',
      short: 'squeezeOff and not squeezeOff[1] and squeezeValue < 0',
    }),
    filter: () => above('squeezeValue', 'squeezeValue[1]'),
    words: {
      about: 'the squeeze of volatility and the momentum after it',
      trigger: 'a squeeze is released',
      filter: 'the momentum of the squeeze grows that way',
    },
  },
];
