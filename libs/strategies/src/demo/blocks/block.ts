import type { Dialect, PineInput, PineVersion } from '../pine-dialect.ts';

/** Conditions for going long and for going short. */
export type Sides = Readonly<{ long: string; short: string }>;

type Choice = Readonly<{ name: string; label: string; type: PineInput['type']; values: readonly number[] }>;

/** One indicator as a part of a strategy: its inputs, its code, its conditions and its description. */
export type Block = Readonly<{
  /** In the spelling of sources. */
  indicator: string;
  /** Other indicators that its code also computes. */
  uses?: readonly string[];
  /** The first version of the language with the functions that its code calls. */
  from?: PineVersion;
  inputs: readonly Choice[];
  code: (dialect: Dialect) => readonly string[];
  /** An event that starts a trade. */
  trigger: (dialect: Dialect) => Sides;
  /** A state in which trades are allowed. */
  filter: (dialect: Dialect) => Sides;
  /** The variables to plot over the price; absent when the indicator has a pane of its own. */
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
