import { facetFields, scales, sortFields, type FacetField, facetRecord } from '../contract.ts';
import { unitsPerOne, roundToPrecision } from '../catalogue/precision.ts';
import type {
  BrushQuery,
  DayRange,
  ExplorerRow,
  ListOrder,
  NumberRange,
  SearchFilter,
  SearchQuery,
} from '../search-port.ts';

/** Numbers from a seed: the same seed gives the same catalogue and the same queries. */
export type Random = Readonly<{
  /** 0 to 1, without 1. */
  next: () => number;
  below: (limit: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
}>;

export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
};

/** Parts of titles and texts: accents, other scripts, other forms of the same word, one word within another. */
const words = (
  "MACD|macd-v|RSI|ＲＳＩ|Ichimoku|ichimoku Cloud|Média|MÓVEL|movel|Straße|STRASSE|ΟΔΟΣ|ΟΔΟΣΗ|οδος|Don't|a_b|" +
  '均线策略|均值回归|ﬁbonacci|Fib|🚀|v5|v|3EMA|İstanbul|ıspanak|тренд|Тренд|SuperTrend|super|Ⅳ|½|e\u0301t|été|ガンマ|x'
).split('|');

const symbols = [
  null,
  ...'|BINANCE:BTCUSDT|BTC_USDT|btc-usd|ETH/USDT|NASDAQ:AAPL|AAPL|EURUSD|ES1!|É_T'.split('|'),
];

const sentence = (random: Random, most: number): string =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(words)).join(
    random.pick([' ', ', ', '-', '_', '']),
  );

const idSigns = 'ABYZabyz0189';

/** Few different signs, so that ids are near one another and differ only by case. */
const urlId = (random: Random): string =>
  Array.from({ length: 8 }, () => idSigns.charAt(random.below(idSigns.length))).join('');

const day = (random: Random): string =>
  `2024-0${1 + random.below(3)}-${String(1 + random.below(28)).padStart(2, '0')}`;
const maybe = <T>(random: Random, value: () => T, share = 0.8): T | null =>
  random.chance(share) ? value() : null;

/** Many ties, whole numbers, tails, both zeros, the neighbours of a number, and infinity. */
export const randomFigure = (random: Random): number =>
  random.pick([
    () => random.below(6),
    () => random.below(100) / 4,
    () => -random.below(101),
    () => random.next() * 10,
    () => Math.round(Math.exp(random.next() * 19) * 100) / 100,
    () => 0.1 + 0.2,
    () => 0.3,
    () => -0,
    () => Infinity,
  ])();

export const randomRow = (random: Random, id: string): ExplorerRow => ({
  urlId: id,
  version: 0,
  title: sentence(random, 4),
  author: maybe(random, () => sentence(random, 2)),
  description: maybe(random, () => sentence(random, 9), 0.4),
  categories: Array.from({ length: random.below(4) }, () => random.pick(words)),
  spellings: Array.from({ length: random.below(2) }, () => random.pick(words)),
  symbol: random.pick(symbols),
  pineVersion: maybe(random, () => 3 + random.below(4)),
  publicationDate: maybe(random, () => day(random)),
  backtestingStart: maybe(random, () => day(random)),
  backtestingEnd: maybe(random, () => day(random)),
  figures: facetRecord((field) =>
    roundToPrecision(
      field,
      maybe(random, () => randomFigure(random)),
    ),
  ),
  totalTrades: maybe(random, () => random.below(40)),
  enhanced: random.chance(0.5),
  demo: random.chance(0.05),
});

export const randomIds = (random: Random, count: number): readonly string[] => {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(urlId(random));
  return [...ids];
};

export const randomRows = (random: Random, count: number): readonly ExplorerRow[] =>
  randomIds(random, count).map((id) => randomRow(random, id));

/** What queries are made of: values and edges of the catalogue, since bounds right on them are where engines err. */
export type KnownValues = Readonly<{
  numbers: Readonly<Record<FacetField, readonly number[]>>;
  ids: readonly string[];
}>;

/** Beyond every figure, next to nothing, and the zero below zero. */
const farBounds = [
  1e300,
  -1e300,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 53,
  -(2 ** 63),
  5e-324,
  -5e-324,
  -0,
];

const finite = (random: Random, value: number): number =>
  Number.isFinite(value) ? value : random.pick(farBounds);

/** On a figure, a grain or next to nothing beside one, or anywhere; never infinite, which would be open. */
const bound = (random: Random, field: FacetField, values: readonly number[]): number => {
  const value = values[random.below(values.length)];
  if (value === undefined || random.chance(0.2)) return finite(random, randomFigure(random));
  if (random.chance(0.04)) return random.pick(farBounds);
  const beside = [
    -1e-9,
    1e-9,
    -1 / unitsPerOne[field],
    1 / unitsPerOne[field],
    -0.5 / unitsPerOne[field],
    0.5 / unitsPerOne[field],
  ];
  return finite(random, random.chance(0.7) ? value : value + random.pick(beside));
};

const range = (
  random: Random,
  field: FacetField,
  values: readonly number[],
  activity: number,
): NumberRange => {
  const low = random.chance(activity) ? bound(random, field, values) : -Infinity;
  const high = random.chance(activity) ? bound(random, field, values) : Infinity;
  return low <= high || random.chance(0.05) ? { low, high } : { low: high, high: low };
};

const days = (random: Random, activity: number): DayRange => {
  const from = maybe(random, () => day(random), activity);
  const to = maybe(random, () => day(random), activity);
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
};

export const searchText = (random: Random): string => {
  const text = random.pick(words);
  const cut = random.chance(0.5) ? text.slice(0, 1 + random.below(4)) : text;
  const cased = random.pick([cut, cut.toUpperCase(), cut.toLowerCase()]);
  return random.chance(0.25) ? `${cased} ${random.pick(words)}` : cased;
};

const someIds = (random: Random, ids: readonly string[]): readonly string[] => {
  const share = random.pick([0, 0.02, 0.5, 1]);
  const known = ids.filter(() => random.chance(share));
  return random.chance(0.3) ? [...known, ...known.slice(0, 2), urlId(random), 'not an id'] : known;
};

export const randomFilter = (random: Random, { numbers, ids }: KnownValues): SearchFilter => {
  const activity = random.pick([0, 0.1, 0.3, 0.6]);
  const other = random.pick([0, 0.05, 0.2]);
  return {
    search: random.chance(other * 2) ? searchText(random) : random.pick(['', ' ', '!?']),
    symbol: random.chance(other)
      ? random.pick(['btc', 'BTC/U', 'BINANCE:btc', 'aapl', 'é', 'x:', 'eth_usdt'])
      : '',
    pineVersion: random.chance(other) ? 3 + random.below(4) : null,
    published: days(random, other),
    backtested: days(random, other),
    hasPerformance: random.chance(other),
    hasEnhanced: random.chance(other),
    ranges: facetRecord((field) => range(random, field, numbers[field], activity)),
    ...(random.chance(other) ? { among: someIds(random, ids) } : {}),
  };
};

export const randomOrder = (random: Random): ListOrder => ({
  sort: random.pick(sortFields),
  order: random.pick(['asc', 'desc']),
});

export const randomBrush = (random: Random, knownValues: KnownValues): BrushQuery => ({
  filter: randomFilter(random, knownValues),
  active: random.pick(facetFields),
  scales: facetRecord(() => random.pick(scales)),
});

export const randomQuery = (random: Random, knownValues: KnownValues): SearchQuery => ({
  filter: randomFilter(random, knownValues),
  page: {
    ...randomOrder(random),
    offset: random.pick([0, 0, 5, 50]),
    limit: 1 + random.below(30),
  },
  histograms: Object.fromEntries(
    facetFields.filter(() => random.chance(0.9)).map((field) => [field, random.pick(scales)]),
  ),
  ranges: random.chance(0.5),
});
