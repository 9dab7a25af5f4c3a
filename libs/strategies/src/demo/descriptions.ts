import type { Backtest } from './backtest.ts';
import { amountText } from './figure-texts.ts';
import type { Random } from './random.ts';
import { blocksOf, type Recipe } from './recipe.ts';

const openings: readonly ((about: string, place: string) => string)[] = [
  (about, place) => `This strategy trades ${place} with ${about}.`,
  (about, place) => `I wrote this to see how far ${about} can carry a simple idea on ${place}.`,
  (about, place) => `A plain rule built on ${about}, tested on ${place}.`,
  (about, place) =>
    `Most examples of ${about} stop at the chart. This one places orders, and was tuned on ${place}.`,
  (about, place) =>
    `The idea is old: use ${about} and stay out the rest of the time. The settings are for ${place}.`,
  (about, place) => `Here is my daily work on ${place}, reduced to ${about}.`,
];

const entries: readonly ((trigger: string) => string)[] = [
  (trigger) => `An entry comes when ${trigger}.`,
  (trigger) => `It waits until ${trigger}, and only then acts.`,
  (trigger) => `The signal: ${trigger}.`,
];

const confirmations: readonly ((filters: string) => string)[] = [
  (filters) => `It also wants that ${filters}.`,
  (filters) => `To leave out the noise, it trades only if ${filters}.`,
  (filters) => `As a filter, ${filters}.`,
];

const remarks = [
  'Try other lengths before you trust it: the defaults are a starting point and not the best of many runs.',
  'Costs matter more than the entry here, so set the commission of your own broker first.',
  'It does not repaint: signals are taken when the bar has closed.',
  'It does badly in quiet weeks, which the drawdown shows honestly.',
  'Questions and corrections are welcome in the comments.',
  'Past results say little about next year. Use small sizes.',
  'Please test it on a second market before you believe the first.',
  'The code is short on purpose, so that you can change it.',
  'Alerts can be set on the two conditions at the end of the script.',
];

const sides = {
  both: 'It goes long and short.',
  long: 'It only goes long.',
  short: 'It only goes short.',
} as const;

const and = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const resultOf = (backtest: Backtest, currency: string): string =>
  `On the chart above it made ${backtest.trades} trades: gross profit ${amountText(backtest.grossProfit, currency)}, ` +
  `gross loss ${amountText(backtest.grossLoss, currency)}.`;

/** The author's description of the script; it states the result only when `backtest` is given. */
export const writeDescription = (recipe: Recipe, backtest: Backtest | null, random: Random): string => {
  const { setting, trigger, filters, exit, direction } = recipe;
  const about = and(blocksOf(recipe).map(({ words }) => words.about));
  const place = `${setting.ticker}, ${setting.timeframe}`;
  const opening = random.pick(openings)(about, place);
  const entry = random.pick(entries)(trigger.words.trigger);
  const filter =
    filters.length === 0 ? [] : [random.pick(confirmations)(and(filters.map(({ words }) => words.filter)))];
  const result = backtest ? [resultOf(backtest, setting.market.currency)] : [];
  const paragraphs = [
    opening,
    [entry, ...filter, exit.words, sides[direction]].join(' '),
    [...result, ...random.some(remarks, random.int(1, 3))].join(' '),
  ];
  return paragraphs.join('\n\n');
};

/** The rules as a list. */
export const writeHowItWorks = ({ trigger, filters, exit }: Recipe): string =>
  [`1. Signal: ${trigger.words.trigger}.`]
    .concat(filters.map(({ words }, index) => `${index + 2}. Filter: ${words.filter}.`))
    .concat(`${filters.length + 2}. Exit: ${exit.words}`)
    .join('\n');

const voices = [
  'Thank you for sharing this.',
  'Works for me with longer lengths.',
  'Could you add an alert for the exit?',
  'How does it do on lower timeframes?',
  'Nice and short. I will try it on gold.',
  'Have you tested it with real commissions?',
  'The filter makes the difference, I think.',
  'Does it still hold after the last halving?',
];

export const drawComments = (
  comments: number,
  authorOf: (random: Random) => string,
  random: Random,
): readonly { author: string; text: string }[] =>
  random.some(voices, Math.min(3, comments)).map((text) => ({ author: authorOf(random), text }));
