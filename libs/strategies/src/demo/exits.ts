import { float, int, type Block } from './blocks/block.ts';
import type { Dialect } from './pine-dialect.ts';
import { weighted } from './random.ts';

type Lines = readonly string[];

/** The way in which a strategy closes its positions. */
export type Exit = Readonly<{
  uses?: readonly string[];
  inputs: Block['inputs'];
  code: (dialect: Dialect) => Readonly<{ before: Lines; long: Lines; short: Lines }>;
  words: string;
}>;

const entry = 'strategy.position_avg_price';

const order = (side: 'Long' | 'Short', stop: string, limit: string): Lines => [
  `strategy.exit("Exit ${side}", "${side}", stop = ${stop}, limit = ${limit})`,
];

const opposite: Exit = {
  inputs: [],
  code: ({ when }) => ({
    before: [],
    long: when('goShort', 'strategy.close("Long")'),
    short: when('goLong', 'strategy.close("Short")'),
  }),
  words: 'A position is closed by the opposite signal; there is no fixed stop.',
};

const percents: Exit = {
  inputs: [
    float('stopPercent', 'Stop Loss %', 1, 1.5, 2, 3, 5, 8),
    float('takePercent', 'Take Profit %', 2, 3, 5, 8, 10, 15),
  ],
  code: () => ({
    before: [],
    long: order('Long', `${entry} * (1 - stopPercent / 100)`, `${entry} * (1 + takePercent / 100)`),
    short: order('Short', `${entry} * (1 + stopPercent / 100)`, `${entry} * (1 - takePercent / 100)`),
  }),
  words: 'Stop and target are fixed per cents of the entry price.',
};

const ranges: Exit = {
  uses: ['ATR'],
  inputs: [
    int('exitAtrLength', 'Exit ATR Length', 10, 14, 20),
    float('stopFactor', 'Stop ATR Factor', 1, 1.5, 2, 3),
    float('targetFactor', 'Target ATR Factor', 1.5, 2, 3, 4.5),
  ],
  code: ({ ta }) => ({
    before: [`exitAtr = ${ta('atr')}(exitAtrLength)`],
    long: order('Long', `${entry} - stopFactor * exitAtr`, `${entry} + targetFactor * exitAtr`),
    short: order('Short', `${entry} + stopFactor * exitAtr`, `${entry} - targetFactor * exitAtr`),
  }),
  words: 'Stop and target follow the average true range, so that they widen in wild markets.',
};

const time: Exit = {
  inputs: [int('holdBars', 'Bars to Hold', 3, 5, 8, 13, 21, 34)],
  code: ({ ta, when }) => ({
    before: [],
    long: when(`${ta('barssince')}(goLong) >= holdBars`, 'strategy.close("Long")'),
    short: when(`${ta('barssince')}(goShort) >= holdBars`, 'strategy.close("Short")'),
  }),
  words: 'Each position is held for a fixed number of bars and then closed, whatever has happened.',
};

export const drawExit = weighted<Exit>([
  [opposite, 30],
  [percents, 30],
  [ranges, 26],
  [time, 14],
]);
