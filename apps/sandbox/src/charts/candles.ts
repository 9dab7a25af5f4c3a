import type { Course } from './course.ts';
import { numbersOf } from './random.ts';

export type Candle = Readonly<{ open: number; close: number; high: number; low: number }>;

const stepsPerCandle = 6;

/** A random price whose volatility and drift change from time to time: it says nothing of a gain or a loss. */
export const anyCandles = (urlId: string, count: number): readonly Candle[] => {
  const next = numbersOf(urlId);
  const spread = (size: number): number => (next() + next() - 1) * size;
  const candles: Candle[] = [];
  let price = 0;
  let volatility = 0.6 + next();
  let drift = spread(0.5);
  for (let index = 0; index < count; index++) {
    if (next() < 0.1) [volatility, drift] = [0.35 + next() * 1.9, spread(0.9)];
    const open = price;
    const close = open + drift + spread(volatility * 2);
    const wick = (): number => next() * volatility * 0.9;
    candles.push({ open, close, high: Math.max(open, close) + wick(), low: Math.min(open, close) - wick() });
    price = close;
  }
  return candles;
};

const between = (values: readonly number[], part: number): number => {
  const at = part * (values.length - 1);
  const index = Math.min(Math.floor(at), values.length - 2);
  const [before = 0, after = 0] = [values[index], values[index + 1]];
  return before + (after - before) * (at - index);
};

/**
 * The price that a strategy trades, as it must have been for its equity: from the first open to the last close it rises with a
 * gain and falls with a loss, and the fall of the largest drawdown can be seen.
 */
export const candlesOf = (urlId: string, { equity }: Course, count: number): readonly Candle[] => {
  const next = numbersOf(`${urlId} price`);
  const levels = equity.map(Math.log);
  const span = Math.max(...levels) - Math.min(...levels) || 1;
  const steps = count * stepsPerCandle;
  let walk = 0;
  const walks = [0, ...Array.from({ length: steps }, () => (walk += next() + next() - 1))];
  const end = walks.at(-1) ?? 0;
  // Without noise at both ends, which the equity alone decides.
  const noise = walks.map((value, index) => (value - (end * index) / steps) / Math.sqrt(steps));
  const prices = noise.map((value, index) => between(levels, index / steps) / span + value * 0.12);
  return Array.from({ length: count }, (_, index) => {
    const part = prices.slice(index * stepsPerCandle, (index + 1) * stepsPerCandle + 1);
    const [open = 0, close = 0] = [part[0], part.at(-1)];
    const wick = (): number => next() * 0.012;
    return { open, close, high: Math.max(...part) + wick(), low: Math.min(...part) - wick() };
  });
};
