/** docs/product-decisions.md#indicator-categories */
export const indicatorCategories = ['Trend', 'Momentum', 'Volatility', 'Volume', 'Levels', 'Other'] as const;
export type IndicatorCategory = (typeof indicatorCategories)[number];

export type Indicator = Readonly<{ id: string; label: string; category: IndicatorCategory }>;

/** Label, and the other names that sources use; case, accents and punctuation are ignored in the comparison. */
const known: Readonly<Record<IndicatorCategory, readonly (readonly [label: string, ...others: string[]])[]>> =
  {
    Trend: [
      ['SMA', 'Simple Moving Average', 'MA', 'Moving Average'],
      ['EMA', 'Exponential Moving Average'],
      ['WMA', 'Weighted Moving Average'],
      ['RMA', 'SMMA', 'Smoothed Moving Average'],
      ['VWMA', 'Volume Weighted Moving Average'],
      ['HMA', 'Hull Moving Average', 'Hull'],
      ['DEMA', 'Double Exponential Moving Average'],
      ['TEMA', 'Triple Exponential Moving Average'],
      ['ALMA', 'Arnaud Legoux Moving Average'],
      ['KAMA', 'Kaufman Adaptive Moving Average'],
      ['Supertrend'],
      ['ADX', 'Average Directional Index', 'DMI', 'Directional Movement Index'],
      ['Ichimoku', 'Ichimoku Cloud', 'Ichimoku Kinko Hyo'],
      ['Parabolic SAR', 'PSAR', 'SAR'],
      ['Linear Regression', 'LinReg'],
      ['Heikin Ashi', 'Heiken Ashi'],
      ['Aroon'],
      ['Vortex', 'Vortex Indicator'],
    ],
    Momentum: [
      ['RSI', 'Relative Strength Index'],
      ['MACD', 'Moving Average Convergence Divergence'],
      ['Stochastic', 'Stoch', 'Stochastic Oscillator'],
      ['CCI', 'Commodity Channel Index'],
      ['Momentum', 'MOM'],
      ['ROC', 'Rate of Change'],
      ['CMO', 'Chande Momentum Oscillator'],
      ['TSI', 'True Strength Index'],
      ['Williams %R', 'WPR', 'Williams Percent Range'],
      ['WaveTrend', 'Wave Trend Oscillator'],
      ['QQE', 'Quantitative Qualitative Estimation'],
      ['Squeeze Momentum', 'SQZMOM', 'TTM Squeeze'],
    ],
    Volatility: [
      ['ATR', 'Average True Range'],
      ['Bollinger Bands', 'BB', 'Bollinger Band', 'Bollinger'],
      ['Keltner Channels', 'KC', 'Keltner Channel', 'Keltner'],
      ['Donchian Channels', 'DC', 'Donchian Channel', 'Donchian'],
      ['VIX Fix', 'Williams VIX Fix', 'WVF'],
    ],
    Volume: [
      ['VWAP', 'Volume Weighted Average Price'],
      ['OBV', 'On Balance Volume'],
      ['MFI', 'Money Flow Index'],
      ['CMF', 'Chaikin Money Flow'],
    ],
    Levels: [
      ['Pivot Points', 'Pivot', 'Pivots', 'Pivot Point'],
      ['Fibonacci', 'Fib', 'Fibonacci Retracement'],
      ['ZigZag'],
    ],
    Other: [],
  };

const foldOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const idOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** The indicators that every catalogue has, in the order of the panel. */
export const knownIndicators: readonly Indicator[] = indicatorCategories.flatMap((category) =>
  known[category].map(([label]) => ({ id: idOf(label), label, category })),
);

const byFold: ReadonlyMap<string, Indicator> = new Map(
  indicatorCategories.flatMap((category) =>
    known[category].flatMap((names) => {
      const [label] = names;
      const indicator = { id: idOf(label), label, category };
      return names.map((name) => [foldOf(name), indicator] as const);
    }),
  ),
);

/**
 * The indicator that a source's spelling means; an unknown one keeps its spelling and is in the category Other.
 *
 * @example
 * indicatorOf('super trend').label; // 'Supertrend'
 */
export const indicatorOf = (name: string): Indicator =>
  byFold.get(foldOf(name)) ?? { id: idOf(name), label: name.trim(), category: 'Other' };

/** The labels of a record's categories, each once, in their order. */
export const indicatorLabels = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => indicatorOf(name).label)),
];

/** Category to indicators: the known ones and those that sources name, each once. */
export const indicatorCatalogue = (
  names: readonly string[],
): Readonly<Record<IndicatorCategory, readonly Indicator[]>> => {
  const all = new Map(knownIndicators.map((indicator) => [indicator.id, indicator]));
  const others = names.map(indicatorOf).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const indicator of others) {
    if (indicator.id !== '' && !all.has(indicator.id)) all.set(indicator.id, indicator);
  }
  const of = (category: IndicatorCategory): readonly Indicator[] =>
    [...all.values()].filter((indicator) => indicator.category === category);
  return Object.fromEntries(indicatorCategories.map((category) => [category, of(category)])) as Record<
    IndicatorCategory,
    readonly Indicator[]
  >;
};
