import type { Random } from './random.ts';

/** The result of a backtest; all figures derive from the same trades. */
export type Backtest = Readonly<{
  capital: number;
  trades: number;
  won: number;
  lost: number;
  grossProfit: number;
  grossLoss: number;
  /** grossProfit − grossLoss. */
  netProfit: number;
  /** Per cent of the capital. */
  netPercent: number;
  /** grossProfit / grossLoss; Infinity without a loss. */
  profitFactor: number;
  /** Per cent of the highest equity before it, at most 100. */
  drawdownPercent: number;
  drawdown: number;
  sharpe: number;
  sortino: number;
}>;

/** A prescribed result, for the ends of the catalogue's scales. */
export type Extreme = 'richest' | 'ruined' | 'unbeaten';

const maxProfitPercent = 300_000_000;
const maxSharpe = 4.9;

const cents = (value: number): number => Math.round(value * 100) / 100;
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

type Gross = Readonly<{ grossProfit: number; grossLoss: number }>;

const drawProfitFactor = (random: Random): number => {
  const factor = random.chance(0.03) ? random.logNormal(6, 0.8) : random.logNormal(1.28, 0.42);
  // Closer to 1 the result would round to 0 and have no sign.
  return Math.abs(factor - 1) < 0.01 ? 1.02 : clamp(factor, 0.05, 90);
};

/** Gross profit and loss as shares of the capital; the net loss is at most the capital. */
const drawGross = (random: Random, trades: number): Gross => {
  const factor = drawProfitFactor(random);
  // Compounding makes a few results extremely large, as in real backtests.
  const compounded = random.chance(0.05) ? 10 ** random.between(0.3, 4.3) : 1;
  const turnover = random.logNormal(0.9, 1.5) * trades ** 0.32 * compounded;
  const maxProfit = (0.9 * maxProfitPercent) / 100;
  const share = Math.min(turnover / (1 + factor), maxProfit / factor);
  const worst = -random.between(0.02, 0.99);
  const net = share * (factor - 1);
  const grossLoss = net < worst ? worst / (factor - 1) : share;
  return { grossProfit: grossLoss * factor, grossLoss };
};

const wins = (random: Random, trades: number, factor: number): number => {
  const rate = clamp(0.3 + 0.12 * Math.log1p(factor) + random.normal(0.08, 0.13), 0.04, 0.96);
  return clamp(Math.round(trades * rate), 1, Math.max(1, trades - 1));
};

type Course = Readonly<{ trades: number; won: number; lost: number } & Gross>;

const ordinary = (random: Random): Course => {
  const trades = Math.max(2, Math.round(clamp(random.logNormal(160, 1.25), 2, 24_000)));
  const gross = drawGross(random, trades);
  const won = wins(random, trades, gross.grossProfit / gross.grossLoss);
  // Trades that break even are neither won nor lost.
  const even = trades - won > 20 && random.chance(0.2) ? random.int(1, 3) : 0;
  return { trades, won, lost: trades - won - even, ...gross };
};

const unbeaten = (random: Random): Course => {
  const trades = random.int(1, 14);
  return { trades, won: trades, lost: 0, grossProfit: random.logNormal(0.35, 0.9), grossLoss: 0 };
};

const winless = (random: Random): Course => {
  const trades = random.int(1, 9);
  return { trades, won: 0, lost: trades, grossProfit: 0, grossLoss: random.between(0.01, 0.6) };
};

const courseOf = (random: Random, extreme: Extreme | undefined): Course => {
  switch (extreme) {
    case 'richest': {
      const net = maxProfitPercent / 100;
      return { trades: 3_181, won: 1_304, lost: 1_877, grossProfit: net * 1.9, grossLoss: net * 0.9 };
    }
    case 'ruined':
      return { trades: 412, won: 97, lost: 315, grossProfit: 0.8, grossLoss: 1.8 };
    case 'unbeaten':
      return unbeaten(random);
    case undefined: {
      const kind = random.next();
      if (kind < 0.012) return unbeaten(random);
      return kind < 0.018 ? winless(random) : ordinary(random);
    }
  }
};

const drawDrawdown = (random: Random, net: number, lost: number): number => {
  if (lost === 0) return random.between(0.2, 14);
  // The equity has fallen at least as far from its highest point as it ends below its start.
  const minimum = net < 0 ? -net * 100 : 0;
  const usual = random.logNormal(net > 0 ? 19 : 26, 0.7);
  return minimum + (100 - minimum) * clamp(usual / 100, 0.004, 0.97) * (net < 0 ? 0.5 : 1);
};

/** Return against risk: has the sign of the result and grows with the return per drawdown. */
const drawSharpe = (random: Random, netPercent: number, drawdownPercent: number): number => {
  const reward = Math.abs(netPercent) / drawdownPercent;
  const size =
    netPercent < 0
      ? 0.05 + (Math.abs(netPercent) / 100) * random.logNormal(1.3, 0.7)
      : 0.18 + 0.62 * Math.log1p(reward) * random.logNormal(0.8, 0.35);
  return Math.sign(netPercent) * Math.max(0.01, maxSharpe * Math.tanh(size / maxSharpe));
};

export const drawBacktest = (random: Random, capital: number, extreme?: Extreme): Backtest => {
  const course = courseOf(random, extreme);
  const grossProfit = cents(course.grossProfit * capital);
  const grossLoss = cents(course.grossLoss * capital);
  const netProfit = cents(grossProfit - grossLoss);
  const netPercent = cents((netProfit / capital) * 100);
  const share = netPercent / 100;
  const drawdownPercent =
    extreme === 'ruined' ? 100 : cents(Math.max(0.01, drawDrawdown(random, share, course.lost)));
  const peakEquity = capital * (1 + Math.max(0, share) * random.between(0.3, 1));
  const sharpe = drawSharpe(random, netPercent, drawdownPercent);
  return {
    capital,
    trades: course.trades,
    won: course.won,
    lost: course.lost,
    grossProfit,
    grossLoss,
    netProfit,
    netPercent,
    profitFactor: grossLoss === 0 ? Infinity : grossProfit / grossLoss,
    drawdownPercent,
    drawdown: cents((peakEquity * drawdownPercent) / 100),
    sharpe,
    sortino: sharpe * random.between(1.15, 2.3),
  };
};
