import { roundToPrecision } from '../catalogue/precision.ts';
import { facetFields, facetRecord, facets, scales, sortFields, type FacetField } from '../contract.ts';
import type {
  BrushQuery,
  DayRange,
  ExplorerRow,
  ListOrder,
  NumberRange,
  SearchFilter,
  SearchQuery,
} from '../search-port.ts';

/** Random numbers from a seed: the same seed gives the same catalogue and the same queries. */
export type Random = Readonly<{
  /** From 0 to below 1. */
  next: () => number;
  /** An integer from 0 to below the limit. */
  below: (limit: number) => number;
  /** True in this share of the calls. */
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

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [random.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** Accents, several scripts, several spellings of one word, and words that contain others. */
const words = (
  "MACD|macd-v|RSI|ＲＳＩ|Ichimoku|ichimoku Cloud|Média|MÓVEL|movel|Straße|STRASSE|ΟΔΟΣ|ΟΔΟΣΗ|οδος|Don't|a_b|" +
  '均线策略|均值回归|ﬁbonacci|Fib|🚀|v5|v|3EMA|İstanbul|ıspanak|тренд|Тренд|SuperTrend|super|Ⅳ|½|e\u0301t|été|ガンマ|x'
).split('|');

const symbols = [
  null,
  ...'|BINANCE:BTCUSDT|BTC_USDT|btc-usd|ETH/USDT|NASDAQ:AAPL|AAPL|EURUSD|ES1!|É_T'.split('|'),
];

const sentence = (random: Random, maxWords: number): string =>
  Array.from({ length: random.below(maxWords + 1) }, () => random.pick(words)).join(
    random.pick([' ', ', ', '-', '_', '']),
  );

const idCharacters = 'ABYZabyz0189';

/** Of few different characters, so that ids share prefixes and some differ only by case. */
const randomId = (random: Random): string =>
  Array.from({ length: 8 }, () => idCharacters.charAt(random.below(idCharacters.length))).join('');

const randomDay = (random: Random): string =>
  `2024-0${1 + random.below(3)}-${String(1 + random.below(28)).padStart(2, '0')}`;
const maybe = <T>(random: Random, value: () => T, share = 0.8): T | null =>
  random.chance(share) ? value() : null;

/** Ties, integers, long tails, both zeros, neighbouring floats, and infinity. */
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
  publicationDate: maybe(random, () => randomDay(random)),
  backtestingStart: maybe(random, () => randomDay(random)),
  backtestingEnd: maybe(random, () => randomDay(random)),
  figures: facetRecord((field) =>
    roundToPrecision(
      field,
      maybe(random, () => randomFigure(random)),
    ),
  ),
  enhanced: random.chance(0.5),
  demo: random.chance(0.05),
});

export const randomIds = (random: Random, count: number): readonly string[] => {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(randomId(random));
  return [...ids];
};

export const randomRows = (random: Random, count: number): readonly ExplorerRow[] =>
  randomIds(random, count).map((id) => randomRow(random, id));

/** Figures and edges of a catalogue, and its ids. Queries use them as bounds, since most errors occur exactly there. */
export type KnownValues = Readonly<{
  numbers: Readonly<Record<FacetField, readonly number[]>>;
  ids: readonly string[];
}>;

/** Beyond every figure, almost zero, and negative zero. */
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

/** Exactly on a value, a step of the field's precision or much less beside it, or anywhere; never infinite. */
const randomBound = (random: Random, field: FacetField, values: readonly number[]): number => {
  const value = values[random.below(values.length)];
  if (value === undefined || random.chance(0.2)) return finite(random, randomFigure(random));
  if (random.chance(0.04)) return random.pick(farBounds);
  const offsets = [
    -1e-9,
    1e-9,
    -1 / facets[field].unitsPerOne,
    1 / facets[field].unitsPerOne,
    -0.5 / facets[field].unitsPerOne,
    0.5 / facets[field].unitsPerOne,
  ];
  return finite(random, random.chance(0.7) ? value : value + random.pick(offsets));
};

const randomRange = (
  random: Random,
  field: FacetField,
  values: readonly number[],
  share: number,
): NumberRange => {
  const low = random.chance(share) ? randomBound(random, field, values) : -Infinity;
  const high = random.chance(share) ? randomBound(random, field, values) : Infinity;
  return low <= high || random.chance(0.05) ? { low, high } : { low: high, high: low };
};

const randomDays = (random: Random, share: number): DayRange => {
  const from = maybe(random, () => randomDay(random), share);
  const to = maybe(random, () => randomDay(random), share);
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
};

const searchText = (random: Random): string => {
  const text = random.pick(words);
  const cut = random.chance(0.5) ? text.slice(0, 1 + random.below(4)) : text;
  const cased = random.pick([cut, cut.toUpperCase(), cut.toLowerCase()]);
  return random.chance(0.25) ? `${cased} ${random.pick(words)}` : cased;
};

const someIds = (random: Random, ids: readonly string[]): readonly string[] => {
  const share = random.pick([0, 0.02, 0.5, 1]);
  const known = ids.filter(() => random.chance(share));
  return random.chance(0.3) ? [...known, ...known.slice(0, 2), randomId(random), 'not an id'] : known;
};

export const randomFilter = (random: Random, { numbers, ids }: KnownValues): SearchFilter => {
  const rangeShare = random.pick([0, 0.1, 0.3, 0.6]);
  const otherShare = random.pick([0, 0.05, 0.2]);
  return {
    search: random.chance(otherShare * 2) ? searchText(random) : random.pick(['', ' ', '!?']),
    symbol: random.chance(otherShare)
      ? random.pick(['btc', 'BTC/U', 'BINANCE:btc', 'aapl', 'é', 'x:', 'eth_usdt'])
      : '',
    pineVersion: random.chance(otherShare) ? 3 + random.below(4) : null,
    published: randomDays(random, otherShare),
    backtested: randomDays(random, otherShare),
    hasPerformance: random.chance(otherShare),
    hasEnhanced: random.chance(otherShare),
    ranges: facetRecord((field) => randomRange(random, field, numbers[field], rangeShare)),
    ...(random.chance(otherShare) ? { among: someIds(random, ids) } : {}),
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
