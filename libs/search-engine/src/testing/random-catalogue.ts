import { facetFields, scales, sortFields, type FacetField, facetRecord } from '../contract.ts';
import { grain, inGrain } from '../catalogue/precision.ts';
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
export type Dice = Readonly<{
  /** 0 to 1, without 1. */
  roll: () => number;
  below: (limit: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
}>;

export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(roll() * limit);
  return {
    roll,
    below,
    chance: (share) => roll() < share,
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

const sentence = (dice: Dice, most: number): string =>
  Array.from({ length: dice.below(most + 1) }, () => dice.pick(words)).join(
    dice.pick([' ', ', ', '-', '_', '']),
  );

const idSigns = 'ABYZabyz0189';

/** Few different signs, so that ids are near one another and differ only by case. */
const urlId = (dice: Dice): string =>
  Array.from({ length: 8 }, () => idSigns.charAt(dice.below(idSigns.length))).join('');

const day = (dice: Dice): string =>
  `2024-0${1 + dice.below(3)}-${String(1 + dice.below(28)).padStart(2, '0')}`;
const maybe = <T>(dice: Dice, value: () => T, share = 0.8): T | null => (dice.chance(share) ? value() : null);

/** Many ties, whole numbers, tails, both zeros, the neighbours of a number, and infinity. */
export const randomFigure = (dice: Dice): number =>
  dice.pick([
    () => dice.below(6),
    () => dice.below(100) / 4,
    () => -dice.below(101),
    () => dice.roll() * 10,
    () => Math.round(Math.exp(dice.roll() * 19) * 100) / 100,
    () => 0.1 + 0.2,
    () => 0.3,
    () => -0,
    () => Infinity,
  ])();

export const randomRow = (dice: Dice, id: string): ExplorerRow => ({
  urlId: id,
  version: 0,
  title: sentence(dice, 4),
  author: maybe(dice, () => sentence(dice, 2)),
  description: maybe(dice, () => sentence(dice, 9), 0.4),
  categories: Array.from({ length: dice.below(4) }, () => dice.pick(words)),
  spellings: Array.from({ length: dice.below(2) }, () => dice.pick(words)),
  symbol: dice.pick(symbols),
  pineVersion: maybe(dice, () => 3 + dice.below(4)),
  publicationDate: maybe(dice, () => day(dice)),
  backtestingStart: maybe(dice, () => day(dice)),
  backtestingEnd: maybe(dice, () => day(dice)),
  figures: facetRecord((field) =>
    inGrain(
      field,
      maybe(dice, () => randomFigure(dice)),
    ),
  ),
  totalTrades: maybe(dice, () => dice.below(40)),
  enhanced: dice.chance(0.5),
  demo: dice.chance(0.05),
});

export const randomIds = (dice: Dice, count: number): readonly string[] => {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(urlId(dice));
  return [...ids];
};

export const randomRows = (dice: Dice, count: number): readonly ExplorerRow[] =>
  randomIds(dice, count).map((id) => randomRow(dice, id));

/** What queries are made of: values and edges of the catalogue, since bounds right on them are where engines err. */
export type Grounds = Readonly<{
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

const finite = (dice: Dice, value: number): number => (Number.isFinite(value) ? value : dice.pick(farBounds));

/** On a figure, a grain or next to nothing beside one, or anywhere; never infinite, which would be open. */
const bound = (dice: Dice, field: FacetField, values: readonly number[]): number => {
  const value = values[dice.below(values.length)];
  if (value === undefined || dice.chance(0.2)) return finite(dice, randomFigure(dice));
  if (dice.chance(0.04)) return dice.pick(farBounds);
  const beside = [-1e-9, 1e-9, -1 / grain[field], 1 / grain[field], -0.5 / grain[field], 0.5 / grain[field]];
  return finite(dice, dice.chance(0.7) ? value : value + dice.pick(beside));
};

const range = (dice: Dice, field: FacetField, values: readonly number[], activity: number): NumberRange => {
  const low = dice.chance(activity) ? bound(dice, field, values) : -Infinity;
  const high = dice.chance(activity) ? bound(dice, field, values) : Infinity;
  return low <= high || dice.chance(0.05) ? { low, high } : { low: high, high: low };
};

const days = (dice: Dice, activity: number): DayRange => {
  const from = maybe(dice, () => day(dice), activity);
  const to = maybe(dice, () => day(dice), activity);
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
};

export const searchText = (dice: Dice): string => {
  const text = dice.pick(words);
  const cut = dice.chance(0.5) ? text.slice(0, 1 + dice.below(4)) : text;
  const cased = dice.pick([cut, cut.toUpperCase(), cut.toLowerCase()]);
  return dice.chance(0.25) ? `${cased} ${dice.pick(words)}` : cased;
};

const someIds = (dice: Dice, ids: readonly string[]): readonly string[] => {
  const share = dice.pick([0, 0.02, 0.5, 1]);
  const known = ids.filter(() => dice.chance(share));
  return dice.chance(0.3) ? [...known, ...known.slice(0, 2), urlId(dice), 'not an id'] : known;
};

export const randomFilter = (dice: Dice, { numbers, ids }: Grounds): SearchFilter => {
  const activity = dice.pick([0, 0.1, 0.3, 0.6]);
  const other = dice.pick([0, 0.05, 0.2]);
  return {
    search: dice.chance(other * 2) ? searchText(dice) : dice.pick(['', ' ', '!?']),
    symbol: dice.chance(other)
      ? dice.pick(['btc', 'BTC/U', 'BINANCE:btc', 'aapl', 'é', 'x:', 'eth_usdt'])
      : '',
    pineVersion: dice.chance(other) ? 3 + dice.below(4) : null,
    published: days(dice, other),
    backtested: days(dice, other),
    hasPerformance: dice.chance(other),
    hasEnhanced: dice.chance(other),
    ranges: facetRecord((field) => range(dice, field, numbers[field], activity)),
    ...(dice.chance(other) ? { among: someIds(dice, ids) } : {}),
  };
};

export const randomOrder = (dice: Dice): ListOrder => ({
  sort: dice.pick(sortFields),
  order: dice.pick(['asc', 'desc']),
});

export const randomBrush = (dice: Dice, grounds: Grounds): BrushQuery => ({
  filter: randomFilter(dice, grounds),
  active: dice.pick(facetFields),
  scales: facetRecord(() => dice.pick(scales)),
});

export const randomQuery = (dice: Dice, grounds: Grounds): SearchQuery => ({
  filter: randomFilter(dice, grounds),
  page: {
    ...randomOrder(dice),
    offset: dice.pick([0, 0, 5, 50]),
    limit: 1 + dice.below(30),
  },
  histograms: Object.fromEntries(
    facetFields.filter(() => dice.chance(0.9)).map((field) => [field, dice.pick(scales)]),
  ),
  ranges: dice.chance(0.5),
});
