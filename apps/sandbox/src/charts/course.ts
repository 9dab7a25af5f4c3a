import { numbersOf } from './random.ts';
import type { Script } from './script.ts';

/** The course of a backtest, trade by trade. */
export type Course = Readonly<{
  /** As a multiple of the capital: 1 at the start, one further value after each trade that is shown. */
  equity: readonly number[];
  /** For each value how far it is below the highest one before, as a share of that: 0 to 1. */
  drawdown: readonly number[];
  /** For each trade whether it made a profit. */
  won: readonly boolean[];
}>;

/** Less is left of no capital, so that a loss of everything can still be drawn. */
const minEquity = 0.005;
const minSteps = 24;
const maxSteps = 240;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Which trades make a profit: as many as the share demands, in a random order. */
const shuffledWins = (steps: number, share: number, next: () => number): readonly boolean[] => {
  const wins = Math.round(steps * share);
  const won = Array.from({ length: steps }, (_, index) => index < wins);
  for (let index = steps - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1));
    [won[index], won[other]] = [won[other] ?? false, won[index] ?? false];
  }
  return won;
};

/** Profits and losses in the proportion of the profit factor, as steps of the equity's logarithm. */
const stepsOf = (won: readonly boolean[], profitFactor: number, next: () => number): readonly number[] => {
  const wins = won.filter(Boolean).length;
  const losses = won.length - wins;
  const profit = wins === 0 || losses === 0 ? 1 : clamp((profitFactor * losses) / wins, 0.05, 20);
  return won.map((isWin) => (0.3 + 1.4 * next()) * (isWin ? profit : -1));
};

/** From 0 to 0: what remains of the steps without their sum. */
const bridgeOf = (steps: readonly number[]): readonly number[] => {
  const sum = steps.reduce((total, step) => total + step, 0);
  let total = 0;
  const path = [0, ...steps.map((step, index) => (total += step) - (sum * (index + 1)) / steps.length)];
  path[path.length - 1] = 0;
  const largest = Math.max(...path.map(Math.abs)) || 1;
  return path.map((value) => value / largest);
};

const maxFallOf = (path: readonly number[]): number => {
  let highest = -Infinity;
  let fall = 0;
  for (const value of path) {
    highest = Math.max(highest, value);
    fall = Math.max(fall, highest - value);
  }
  return fall;
};

/** The path from 0 to `end` whose largest fall is `fall`, or the smallest one that such a path can have. */
const pathWith = (bridge: readonly number[], end: number, fall: number): readonly number[] => {
  const last = bridge.length - 1;
  const pathAt = (size: number): readonly number[] =>
    bridge.map((value, index) => (end * index) / last + size * value);
  let [low, high] = [0, 0.01];
  for (let tries = 0; tries < 40 && maxFallOf(pathAt(high)) < fall; tries++) high *= 2;
  for (let tries = 0; tries < 60; tries++) {
    const middle = (low + high) / 2;
    if (maxFallOf(pathAt(middle)) < fall) low = middle;
    else high = middle;
  }
  return pathAt(low);
};

/** Of a script that does not say it: enough to be seen. */
const usualFall = (end: number): number => Math.max(0.12, Math.abs(end) * (end < 0 ? 1.1 : 0.25));

/**
 * A course with exactly the result and the largest drawdown of a script, as far as both are possible together, and with its
 * share of profitable trades. Undefined when its result is unknown.
 */
export const courseOf = (script: Script): Course | undefined => {
  const { netPercent, drawdownPercent, trades, won: wins, profitFactor } = script;
  if (netPercent === null) return undefined;
  const next = numbersOf(script.urlId);
  const steps = clamp(trades ?? 120, minSteps, maxSteps);
  const share = trades === null || trades === 0 || wins === null ? 0.5 : clamp(wins / trades, 0, 1);
  const won = shuffledWins(steps, share, next);
  const bridge = bridgeOf(stepsOf(won, clamp(profitFactor ?? 1.2, 0.05, 20), next));
  const end = Math.log(Math.max(minEquity, 1 + netPercent / 100));
  const fall =
    drawdownPercent === null ? usualFall(end) : -Math.log(Math.max(minEquity, 1 - drawdownPercent / 100));
  const equity = pathWith(bridge, end, fall).map(Math.exp);
  let highest = 0;
  const drawdown = equity.map((value) => {
    highest = Math.max(highest, value);
    return 1 - value / highest;
  });
  return { equity, drawdown, won };
};
