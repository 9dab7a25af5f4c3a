import { rowsOfTheCatalogue } from './rows-of-the-catalogue.ts';
import { rowsOfTheSite } from './rows-of-the-site.ts';

/** Of texts, times, formats and limits: what each screen promises, a sentence each. Every one is checked on the running product. */
export const rows = {
  ...rowsOfTheCatalogue,
  'trading bots': [
    'the title is Trading Bots, with the badge Coming Soon',
    'the features are 24/7 automated execution, multi-exchange support, advanced risk management and real-time monitoring',
    'supported exchanges are listed',
    'Notify Me When Available cannot be pressed',
  ],
  'strategy optimizer': [
    'the features are optimization algorithms, Monte Carlo simulation, backtesting metrics and risk analysis',
    'Get Extension opens the store in a new tab',
    'View Guide opens the guide in a new tab',
    'Recent Optimizations has two examples, one completed and one running',
  ],
  ...rowsOfTheSite,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Area = keyof typeof rows;
export type RowOf<A extends Area> = (typeof rows)[A][number];
