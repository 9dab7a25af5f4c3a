import { weighted, type Random } from './random.ts';
import { blocksOf, type Recipe } from './recipe.ts';

const moods =
  'Adaptive Simple Dynamic Classic Smart Advanced Pure Quick Patient Robust Clean Dual Triple Enhanced Filtered Weighted Smoothed Balanced Hybrid Minimal Optimized Relaxed Strict Improved'.split(
    ' ',
  );
const nouns =
  'Crossover Pullback Breakout Reversal Scalper Swing Momentum Rider Follower Trend Bounce Divergence Hunter Engine System Blueprint Setup Method Framework Rotation Ladder Compass Pulse Sniper'.split(
    ' ',
  );
const styles = [
  'Trend Following',
  'Mean Reversion',
  'Swing Trading',
  'Day Trading',
  'Scalping',
  'Position Trading',
  'Volatility Breakout',
  'Range Trading',
];
const images =
  'Lighthouse Pendulum Anchor Tide Harbor Canyon Glacier Orchard Falcon Copper Granite Meridian Northwind Ember Cascade Willow Summit Lantern Drift Horizon Cobalt Juniper Saffron Quarry'.split(
    ' ',
  );
const marks = [
  'v2',
  'v3',
  'v1.1',
  'V4',
  '2.0',
  'Lite',
  'Pro',
  'Plus',
  'Reloaded',
  'Remastered',
  'with Filter',
  'Long Term',
  'Intraday',
  '(no repaint)',
];

type Title = (recipe: Recipe, random: Random) => string;

const names = (recipe: Recipe): readonly string[] =>
  blocksOf(recipe).map(({ indicator }) => (indicator === 'ichimoku' ? 'Ichimoku' : indicator));
const first = (recipe: Recipe): string => names(recipe)[0] ?? '';
const joined = (recipe: Recipe, random: Random): string =>
  names(recipe)
    .slice(0, 3)
    .join(random.pick([' + ', ' & ', ' ', ' and ', '/', ' x ']));

const drawShape = weighted<Title>([
  [(recipe, random) => `${random.pick(moods)} ${joined(recipe, random)} ${random.pick(nouns)}`, 24],
  [(recipe, random) => `${joined(recipe, random)} ${random.pick(nouns)} ${random.pick(marks)}`, 16],
  [(recipe, random) => `${first(recipe)} ${random.pick(styles)} Strategy ${random.pick(marks)}`, 10],
  [(recipe, random) => `${random.pick(images)} ${random.pick(nouns)} (${joined(recipe, random)})`, 16],
  [
    (recipe, random) =>
      `${recipe.setting.ticker} ${recipe.setting.timeframe} ${joined(recipe, random)} ${random.pick(nouns)}`,
    14,
  ],
  [
    (recipe, random) =>
      `${random.pick(moods)} ${random.pick(images)}: ${first(recipe)} ${random.pick(styles)}`,
    12,
  ],
  [(recipe, random) => `${joined(recipe, random)} strategy`, 2],
]);

/** A title that says what the script does; about one in thirty occurs more than once. */
export const drawTitle = (recipe: Recipe, author: string, random: Random): string => {
  const title = drawShape(random)(recipe, random);
  return random.chance(0.13) ? `${title} [${author}]` : title;
};
