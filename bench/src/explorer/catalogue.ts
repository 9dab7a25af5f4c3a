import { facetFields, facets, type Facet, type FacetField } from '@tapedeck/search-engine/contract';
import type { ExplorerRow } from '@tapedeck/search-engine/engine';
import { randomOf, type Random } from '../random.ts';

const tenth = 0.1;
const cents = (value: number): number => Math.round(value * 100) / 100;
const share = (bell: number): number => 1 / (1 + Math.exp(-1.7 * bell));

/** Turns a normally distributed number into a figure. */
type Shape = (bell: number) => number;

/** Of facets without a shape of their own. */
const shapeOfKind: Readonly<Record<Facet['kind'], Shape>> = {
  percent: (bell) => cents(100 * share(bell)),
  ratio: (bell) => Math.round((1 + bell) * 1000) / 1000,
  count: (bell) => Math.floor(Math.exp(4 + bell)),
};

/** Skewed like the real ones: heavy tails, ties, whole numbers. */
const shapes: Readonly<Partial<Record<FacetField, Shape>>> = {
  totalPandlPercent: (bell) => cents(bell < -0.5 ? -100 * share(-bell - 2) : Math.expm1(3.5 * (bell + 0.5))),
  maxDrawdownPercent: (bell) => cents(100 * share(bell - 0.8)),
  // A strategy without a losing trade.
  profitFactor: (bell) => (bell > 2.6 ? Infinity : Math.round(Math.exp(0.6 * bell + 0.3) * 1000) / 1000),
  sharpeRatio: (bell) => Math.round((0.4 + 0.9 * bell) * 1000) / 1000,
  likes: (bell) => Math.min(20_349, Math.floor(Math.exp(3 + 1.7 * bell))),
  views: (bell) => Math.floor(Math.exp(6 + 1.5 * bell)),
  comments: (bell) => Math.floor(Math.exp(1 + 1.2 * bell)),
  codeLines: (bell) => 10 + Math.floor(Math.exp(4.6 + 0.9 * bell)),
};

const figuresOf = (random: Random): ExplorerRow['figures'] => {
  const quality = random.normal();
  // The figures of one strategy are slightly correlated.
  const figures = facetFields.map((field) => {
    const shape = shapes[field] ?? shapeOfKind[facets[field].kind];
    const value = shape(0.18 * quality + 0.98 * random.normal());
    return [field, random.uniform() < tenth ? null : value] as const;
  });
  return Object.fromEntries(figures) as Record<FacetField, number | null>;
};

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const spread = 2_147_483_647n;

/** Different for each index and unordered: multiplying by an odd number permutes the numbers below 2^47. */
const idOf = (index: number): string => {
  let rest = BigInt.asUintN(47, BigInt(index + 1) * spread * 40_503n);
  let id = '';
  for (let i = 0; i < 8; i++) {
    id += signs[Number(rest % 62n)] ?? '';
    rest /= 62n;
  }
  return id;
};

const starts = 'mo ri ta ke su la vo ne pi do ba ze'.split(' ');
const known =
  'macd rsi supertrend ichimoku bollinger ema sma vwap stochastic atr adx pivot fibonacci breakout'
    .split(' ')
    .concat(
      'trend momentum scalping swing reversal grid strategy bot long short crypto forex btc'.split(' '),
    );

/** Rank 0 is the most frequent word. The first words are trading terms, the others are built from syllables. */
const wordOf = (rank: number): string => {
  let word = known[rank] ?? '';
  if (word !== '') return word;
  for (let rest = rank; rest > 0; rest = Math.floor(rest / starts.length)) {
    word += starts[rest % starts.length] ?? '';
  }
  return word;
};

const vocabulary = 20_000;
const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank));

/** As in every language few words are frequent and most are rare. */
const someWord = (random: Random): string => words[Math.floor(vocabulary ** random.uniform()) - 1] ?? 'trend';

const sentence = (random: Random, length: number): string =>
  Array.from({ length }, () => someWord(random)).join(' ');

const indicators = known.slice(0, 14);
const quarter = 0.26;

const rowOf = (index: number, random: Random): ExplorerRow => ({
  urlId: idOf(index),
  version: 1,
  title: sentence(random, 3 + random.below(5)),
  author: `${wordOf(300 + random.below(9_000))}${random.below(100)}`,
  description: random.uniform() < quarter ? sentence(random, 15 + random.below(80)) : null,
  categories: indicators.filter(() => random.uniform() < 0.15),
  spellings: [],
  symbol: random.uniform() < tenth ? null : `BINANCE:${wordOf(40 + random.below(200)).toUpperCase()}USDT`,
  pineVersion: 3 + random.below(4),
  publicationDate: `20${18 + random.below(8)}-0${1 + random.below(9)}-${10 + random.below(19)}`,
  backtestingStart: null,
  backtestingEnd: null,
  figures: figuresOf(random),
  enhanced: random.uniform() < 0.5,
  demo: false,
});

/** Always generates the same catalogue; a million rows are never in memory at once. */
export const catalogueRows = function* (size: number, seed = 7): Generator<ExplorerRow, void, void> {
  const random = randomOf(seed);
  for (let index = 0; index < size; index++) yield rowOf(index, random);
};

/** Words by descending frequency, for searches. */
export const frequentWords: readonly string[] = words;
