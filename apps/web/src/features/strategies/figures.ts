import { parseNumeric } from '../../ui/format.ts';

/** Source text such as `+1,234.56 USD (12.34%)`: the percentage in parentheses and the amount before it. */
export type MoneyText = Readonly<{ percent: number | null; amount: string | null }>;

const plainNumber = (text: string | undefined): number | null =>
  parseNumeric((text ?? '').replace(/[\s,]/g, '').replace(/[−–]/g, '-').replace(/%$/, '') || null);

export const readMoney = (text: string | null): MoneyText => {
  if (text === null) return { percent: null, amount: null };
  const inParentheses = /\(([^()]*?)%\s*\)/.exec(text);
  const alone = /^\s*([^()]*?)%\s*$/.exec(text);
  const amount = text.replace(/\([^()]*\)/, '').trim();
  return {
    percent: plainNumber((inParentheses ?? alone)?.[1]),
    amount: alone || amount === '' ? null : amount.replace(/^-/, '−'),
  };
};

/** Reads a count or ratio of the source: `1,206`, `∞`, `2.31`. */
export const readFigure = (text: string | null): number | null =>
  text !== null && /^\s*(∞|infinity)\s*$/i.test(text) ? Infinity : plainNumber(text ?? undefined);

export type Wins = Readonly<{ rate: number; counts: Readonly<{ won: number; total: number }> | null }>;

const countedWins = (won: number | null, total: number | null): Wins | null =>
  won === null || total === null || !(total > 0) || won < 0 || won > total
    ? null
    : { rate: (100 * won) / total, counts: { won, total } };

/** Reads `38.46% (10/26)`, a count beside the total, or a percentage alone; null when unknown. */
export const readWins = (profitableTrades: string | null, totalTrades: string | null): Wins | null => {
  const text = profitableTrades ?? '';
  const fraction = /([\d,]+)\s*\/\s*([\d,]+)/.exec(text);
  if (fraction) return countedWins(plainNumber(fraction[1]), plainNumber(fraction[2]));
  const percent = plainNumber(/([\d.,]+)\s*%/.exec(text)?.[1]);
  if (percent !== null) return percent <= 100 ? { rate: percent, counts: null } : null;
  return countedWins(readFigure(text || null), readFigure(totalTrades));
};

/**
 * How many trades lost, as far as the source tells it: it counts winners and all trades, and trades that closed even are
 * neither. So the number is exact only where every trade won.
 */
export const lostTrades = ({ counts }: Wins): Readonly<{ max: number; isExact: boolean }> | null =>
  counts && { max: counts.total - counts.won, isExact: counts.won === counts.total };

export type FactorLabel = 'Excellent' | 'Good' | 'Poor';

export const factorLabel = (profitFactor: number): FactorLabel =>
  profitFactor >= 1.5 ? 'Excellent' : profitFactor >= 1.2 ? 'Good' : 'Poor';

/** As many as the page names of indicators and timeframes. */
const namedOnPage = 3;
export const firstNames = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.slice(0, namedOnPage).join(', ');

/** Only an `http` or `https` address may become a link; null for anything else. */
export const webAddress = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
