import { demoIdPrefix } from '../domain/ids.ts';
import { emptyRecord, type StrategyRecord } from '../domain/strategy-record.ts';
import { drawBacktest, type Backtest, type Extreme } from './backtest.ts';
import { makeAuthors } from './authors.ts';
import { drawComments, writeDescription, writeHowItWorks } from './descriptions.ts';
import { figureTexts, type FigureTexts } from './figure-texts.ts';
import { writeScript } from './pine-script.ts';
import { createRandom, type Random } from './random.ts';
import { drawRecipe, indicatorsOf, type Recipe } from './recipe.ts';
import { drawTitle } from './titles.ts';

type DemoOptions = Readonly<{
  count?: number;
  seed?: number;
  /** False for large catalogues in benchmarks: no script, and a random number of lines. */
  code?: boolean;
}>;

const demoSeed = 20_261_121;
const maxScriptLines = 4_328;
const day = 86_400_000;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomIdLength = 8 - demoIdPrefix.length;
const maxDemoRecords = alphabet.length ** randomIdLength;
// Has no common factor with the number of ids, so that every index has an id of its own.
const idStep = 6_180_339;

export const demoIdAt = (index: number): string => {
  let rest = (index * idStep + 1_618_034) % maxDemoRecords;
  let id = '';
  for (let digit = 0; digit < randomIdLength; digit++) {
    id = alphabet.charAt(rest % alphabet.length) + id;
    rest = Math.floor(rest / alphabet.length);
  }
  return demoIdPrefix + id;
};

type Special = Extreme | 'popular' | 'longest';
const specials: readonly Special[] = ['richest', 'popular', 'longest', 'ruined', 'unbeaten'];

/** The few records with the extremes of the scales, spread over the catalogue. */
const specialsOf = (count: number): ReadonlyMap<number, Special> =>
  new Map(specials.map((special, index) => [Math.floor(((index + 0.5) * count) / specials.length), special]));

const unknownFigures: FigureTexts = {
  total_pandl: null,
  max_equity_drawdown: null,
  total_trades: null,
  profitable_trades: null,
  profit_factor: null,
  profit_factor_long: null,
  profit_factor_short: null,
  sharpe_ratio_all: null,
  sortino_ratio_all: null,
};

/** Some strategies have no report, in others a line is missing: about a tenth of all figures. */
const missingReportShare = 0.05;
const missingLineShare = 0.053;
const missingPopularityShare = 0.1;

type Popularity = Readonly<{ likes: number; views: number; comments: number }>;

/** The upper ends of the specification's default ranges (§9). */
const maxPopularity: Popularity = { likes: 20_349, views: 999, comments: 53 };

const upTo = (value: number, max: number): number => Math.min(max, Math.max(0, Math.round(value)));

/** Most strategies get few likes, a few get many; views and comments grow with likes. */
const drawPopularity = (random: Random): Popularity => {
  const likes = upTo(random.logNormal(58, 1.75) - 3, maxPopularity.likes - 1);
  return {
    likes,
    views: upTo(9 * (likes + 2) ** 0.52 * random.logNormal(1, 0.45), maxPopularity.views),
    comments: upTo(0.42 * likes ** 0.48 * random.logNormal(1, 0.6) - 0.4, maxPopularity.comments),
  };
};

const withGaps = (texts: FigureTexts, random: Random): FigureTexts => {
  const maybe = (text: string | null): string | null => (random.chance(missingLineShare) ? null : text);
  const trades = random.chance(missingLineShare);
  return {
    ...texts,
    total_pandl: maybe(texts.total_pandl),
    max_equity_drawdown: maybe(texts.max_equity_drawdown),
    profit_factor: maybe(texts.profit_factor),
    sharpe_ratio_all: maybe(texts.sharpe_ratio_all),
    total_trades: trades ? null : texts.total_trades,
    profitable_trades: trades ? null : texts.profitable_trades,
  };
};

type FactorsBySide = Pick<FigureTexts, 'profit_factor_long' | 'profit_factor_short'>;

/** A strategy of one direction has no trades of the other, so that all its trades are of this one. */
const factorsBySide = (texts: FigureTexts, direction: Recipe['direction']): FactorsBySide => {
  const { profit_factor, profit_factor_long, profit_factor_short } = texts;
  if (direction === 'long') return { profit_factor_long: profit_factor, profit_factor_short: null };
  if (direction === 'short') return { profit_factor_long: null, profit_factor_short: profit_factor };
  return { profit_factor_long, profit_factor_short };
};

const drawTexts = (
  recipe: Recipe,
  backtest: Backtest | null,
  special: boolean,
  random: Random,
): FigureTexts => {
  if (!backtest) return unknownFigures;
  const texts = figureTexts(backtest, recipe.setting.market.currency, random);
  const sided = { ...texts, ...factorsBySide(texts, recipe.direction) };
  return special ? sided : withGaps(sided, random);
};

const orderUnits = { percent: '% of equity', cash: '', contracts: ' contracts' } as const;

type Settings = Pick<
  StrategyRecord,
  | 'symbol'
  | 'timeframe'
  | 'timeframes'
  | 'markets'
  | 'currency'
  | 'tick_size'
  | 'precision'
  | 'chart_type'
  | 'initial_capital'
  | 'order_size'
  | 'commission'
  | 'slippage'
  | 'pyramiding'
>;

const settingsOf = (recipe: Recipe): Settings => {
  const { setting, order, initialCapital, commission } = recipe;
  return {
    symbol: `${setting.market.exchange}:${setting.ticker}`,
    timeframe: setting.timeframe,
    timeframes: [setting.timeframe],
    markets: [setting.market.market],
    currency: setting.market.currency,
    tick_size: setting.market.tick,
    precision: setting.market.precision,
    chart_type: 'Candles',
    initial_capital: initialCapital === null ? null : String(initialCapital),
    order_size: order && `${order.value}${orderUnits[order.kind]}`,
    commission: commission === null ? null : `${commission}%`,
    slippage: recipe.slippage,
    pyramiding: recipe.pyramiding,
  };
};

type Dates = Pick<
  StrategyRecord,
  | 'publication_date'
  | 'backtesting_range_start'
  | 'backtesting_range_end'
  | 'trading_range_start'
  | 'trading_range_end'
>;

const datesOf = ({ published }: Recipe, random: Random): Dates => {
  const iso = (daysBefore: number): string =>
    new Date(Date.parse(published) - daysBefore * day).toISOString().slice(0, 10);
  const end = random.int(1, 20);
  const start = end + Math.round(Math.min(3_600, random.logNormal(620, 0.9)) + 20);
  return {
    publication_date: published,
    backtesting_range_start: iso(start),
    backtesting_range_end: iso(end),
    trading_range_start: iso(start - random.int(0, 18)),
    trading_range_end: iso(end),
  };
};

const linesWanted = (special: Special | undefined, random: Random): number =>
  special === 'longest'
    ? maxScriptLines
    : Math.min(
        maxScriptLines - 1,
        Math.round(random.chance(0.02) ? random.logNormal(600, 0.7) : random.logNormal(52, 0.75)),
      );

const linesOf = (text: string): number => text.split('\n').length - 1;

type AuthorOf = (random: Random) => string;

const demoRecord = (
  index: number,
  special: Special | undefined,
  authorOf: AuthorOf,
  { seed, code }: Required<Pick<DemoOptions, 'seed' | 'code'>>,
): StrategyRecord => {
  const random = createRandom(seed, index);
  const recipe = drawRecipe(random);
  const author = authorOf(random);
  const title = drawTitle(recipe, author, random);
  const isEnd = special === 'richest' || special === 'ruined' || special === 'unbeaten';
  const tested = drawBacktest(random, recipe.initialCapital ?? 100_000, isEnd ? special : undefined);
  const backtest = isEnd || !random.chance(missingReportShare) ? tested : null;
  const texts = drawTexts(recipe, backtest, isEnd, random);
  const popularity: Popularity | null =
    special === 'popular'
      ? maxPopularity
      : random.chance(missingPopularityShare)
        ? null
        : drawPopularity(random);
  const wanted = linesWanted(special, random);
  const script = code ? writeScript(recipe, title, author, wanted, random) : null;
  const allKnown = texts.total_pandl !== null && texts.profit_factor !== null;
  return {
    ...emptyRecord,
    url_id: demoIdAt(index),
    title,
    author,
    ...datesOf(recipe, random),
    pine_version: recipe.version,
    likes: popularity?.likes ?? null,
    views: popularity?.views ?? null,
    comments_count: popularity?.comments ?? null,
    full_description: random.chance(0.92)
      ? writeDescription(recipe, allKnown && random.chance(0.4) ? backtest : null, random)
      : null,
    how_it_works: random.chance(0.5) ? writeHowItWorks(recipe) : null,
    pine_script: script?.text ?? null,
    categories: indicatorsOf(recipe),
    ...settingsOf(recipe),
    ...texts,
    open_source: true,
    code_available: script !== null,
    code_lines: script ? linesOf(script.text) : wanted,
    strategy_inputs: (script?.inputs ?? recipe.inputs).map(({ label, value, type }) => ({
      name: label,
      default: value,
      type,
    })),
    margin_calls: backtest && backtest.netPercent < -60 ? random.int(1, 4) : backtest && 0,
    top_comments: drawComments(popularity?.comments ?? 0, authorOf, random),
    scraped_date: '2026-11-01',
    status: 'complete',
    scraper_version: 'demo 1',
    is_public: true,
  };
};

/**
 * Generates plausible strategies: the same ones for the same options, on every machine.
 *
 * @example
 * for (const record of demoRecords({ count: 100 })) console.log(record.title);
 */
export function* demoRecords(options: DemoOptions = {}): Generator<StrategyRecord> {
  const { count = 4_500, seed = demoSeed, code = true } = options;
  if (!Number.isSafeInteger(count) || count < 0 || count > maxDemoRecords) {
    throw new RangeError(`A demo catalogue can have 0 to ${maxDemoRecords} strategies, not ${count}.`);
  }
  const authorOf = makeAuthors(createRandom(seed, -1));
  const special = specialsOf(count);
  for (let index = 0; index < count; index++)
    yield demoRecord(index, special.get(index), authorOf, { seed, code });
}
