import type { Dialect, PineInput, PineVersion } from './pine-dialect.ts';

/** Conditions for going long and for going short. */
export type Sides = Readonly<{ long: string; short: string }>;

type Choice = Readonly<{ name: string; label: string; type: PineInput['type']; values: readonly number[] }>;

/** One indicator as a part of a strategy: its inputs, its code, what it says about the market, and in words. */
export type Block = Readonly<{
  /** As sources spell it. */
  indicator: string;
  /** Other indicators that its code computes on the way. */
  uses?: readonly string[];
  /** First version of the language that has what its code needs. */
  from?: PineVersion;
  inputs: readonly Choice[];
  code: (dialect: Dialect) => readonly string[];
  /** Something happens: a reason to trade now. */
  trigger: (dialect: Dialect) => Sides;
  /** Something is the case: a reason to trade at all. */
  filter: (dialect: Dialect) => Sides;
  /** What to draw over the price, by variable; nothing when it lives in a pane of its own. */
  draws?: readonly string[];
  words: Readonly<{ about: string; trigger: string; filter: string }>;
}>;

export const int = (name: string, label: string, ...values: readonly number[]): Choice => ({
  name,
  label,
  type: 'int',
  values,
});

export const float = (name: string, label: string, ...values: readonly number[]): Choice => ({
  name,
  label,
  type: 'float',
  values,
});

export const crosses = ({ ta }: Dialect, a: string, b: string): Sides => ({
  long: `${ta('crossover')}(${a}, ${b})`,
  short: `${ta('crossunder')}(${a}, ${b})`,
});

export const above = (a: string, b: string): Sides => ({ long: `${a} > ${b}`, short: `${a} < ${b}` });
