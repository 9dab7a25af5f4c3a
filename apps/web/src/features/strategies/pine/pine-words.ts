/** The words of the versions of Pine Script: what they are differs between versions, and so does their meaning. */

export type WordKind = 'keyword' | 'type' | 'constant' | 'function' | 'variable' | 'namespace';

type Words = Readonly<{ kind: WordKind; from: number; to: number; words: string }>;

export const oldestVersion = 1;
export const newestVersion = 6;

const every = { from: oldestVersion, to: newestVersion } as const;

const table: readonly Words[] = [
  { kind: 'keyword', ...every, words: 'and or not' },
  { kind: 'keyword', from: 2, to: 6, words: 'if else for to by break continue' },
  { kind: 'keyword', from: 4, to: 6, words: 'var varip' },
  {
    kind: 'keyword',
    from: 5,
    to: 6,
    words: 'while switch import export as in method type enum const simple series',
  },
  { kind: 'type', from: 4, to: 6, words: 'int float bool string color line label box table array' },
  { kind: 'type', from: 5, to: 6, words: 'matrix map linefill polyline' },
  { kind: 'constant', ...every, words: 'na true false' },
  {
    kind: 'constant',
    from: 1,
    to: 3,
    words:
      'aqua black blue fuchsia gray green lime maroon navy olive orange purple red silver teal white yellow ' +
      'solid dashed dotted stepline histogram cross area columns circles linebr areabr ' +
      'integer float bool string resolution session source symbol ' +
      'monday tuesday wednesday thursday friday saturday sunday',
  },
  {
    kind: 'variable',
    ...every,
    words:
      'open high low close volume hl2 hlc3 ohlc4 time timenow year month weekofyear dayofmonth dayofweek hour ' +
      'minute second',
  },
  {
    kind: 'variable',
    from: 1,
    to: 3,
    words:
      'n period interval tickerid ticker isintraday isdaily isweekly ismonthly isdwm isseconds isminutes',
  },
  { kind: 'variable', from: 1, to: 4, words: 'tr accdist iii nvi obv pvi pvt vwap wad wvad' },
  { kind: 'variable', from: 4, to: 6, words: 'bar_index time_close' },
  { kind: 'variable', from: 5, to: 6, words: 'hlcc4 last_bar_index last_bar_time time_tradingday' },
  { kind: 'variable', from: 6, to: 6, words: 'bid ask' },
  {
    kind: 'function',
    ...every,
    words:
      'input plot plotshape plotchar plotarrow plotbar plotcandle bgcolor barcolor fill hline alertcondition nz na ' +
      'fixnan time timestamp year month weekofyear dayofmonth dayofweek hour minute second',
  },
  { kind: 'function', from: 2, to: 6, words: 'strategy' },
  { kind: 'function', from: 3, to: 6, words: 'max_bars_back' },
  { kind: 'function', from: 4, to: 6, words: 'alert int float bool string color line label box table' },
  { kind: 'function', from: 5, to: 6, words: 'indicator library time_close' },
  { kind: 'function', from: 1, to: 3, words: 'color' },
  {
    kind: 'function',
    from: 1,
    to: 4,
    words:
      'study security iff offset tostring tonumber heikinashi renko kagi linebreak pointfigure tickerid financial ' +
      'quandl dividends earnings splits ' +
      'abs acos asin atan avg ceil cos exp floor log log10 max min pow random round sign sin sqrt sum tan todegrees ' +
      'toradians ' +
      'alma atr barssince bb bbw cci change cmo cog correlation cross crossover crossunder cum dev dmi ema falling ' +
      'highest highestbars hma kc kcw linreg lowest lowestbars macd median mfi mode mom percentile_linear_interpolation ' +
      'percentile_nearest_rank percentrank pivothigh pivotlow range rising rma roc rsi sar sma stdev stoch supertrend ' +
      'swma tr tsi valuewhen variance vwap vwma wma wpr',
  },
  { kind: 'namespace', ...every, words: 'syminfo session barstate' },
  {
    kind: 'namespace',
    from: 2,
    to: 6,
    words: 'strategy currency location shape size scale barmerge timeframe adjustment',
  },
  {
    kind: 'namespace',
    from: 4,
    to: 6,
    words:
      'input color plot hline line label box table array text extend xloc yloc position order display format alert ' +
      'dayofweek',
  },
  {
    kind: 'namespace',
    from: 5,
    to: 6,
    words:
      'ta math str request ticker matrix map linefill polyline chart runtime log font dividends earnings splits ' +
      'settlement_as_close backadjustment',
  },
  { kind: 'namespace', from: 6, to: 6, words: 'footprint volume_row' },
];

export type VersionWords = Readonly<Record<WordKind, ReadonlySet<string>>>;

const wordsOf = (version: number, kind: WordKind): ReadonlySet<string> =>
  new Set(
    table
      .filter((row) => row.kind === kind && row.from <= version && version <= row.to)
      .flatMap(({ words }) => words.split(' ')),
  );

/** The words of a version; those of the newest one for a later version. */
export const wordsOfVersion = (version: number): VersionWords => {
  const known = Math.min(newestVersion, Math.max(oldestVersion, version));
  return {
    keyword: wordsOf(known, 'keyword'),
    type: wordsOf(known, 'type'),
    constant: wordsOf(known, 'constant'),
    function: wordsOf(known, 'function'),
    variable: wordsOf(known, 'variable'),
    namespace: wordsOf(known, 'namespace'),
  };
};
