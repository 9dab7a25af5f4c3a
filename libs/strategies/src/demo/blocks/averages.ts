import { above, crosses, int, type Block } from './block.ts';
import type { Dialect, PineVersion } from '../pine-dialect.ts';

type Average = Readonly<{
  indicator: string;
  /** Full name, for descriptions. */
  name: string;
  uses?: readonly string[];
  from?: PineVersion;
  /** Code that defines the function, where the language has none. */
  define?: (dialect: Dialect) => readonly string[];
  call: (dialect: Dialect, length: string) => string;
}>;

const fast = [5, 8, 9, 10, 12, 13, 20, 21];
const slow = [26, 30, 34, 50, 55, 89, 100, 144, 200];

const averageBlock = ({ indicator, name, uses, from, define, call }: Average): Block => {
  const id = indicator.toLowerCase();
  return {
    indicator,
    ...(uses ? { uses } : {}),
    ...(from ? { from } : {}),
    inputs: [
      int(`${id}FastLength`, `Fast ${indicator} Length`, ...fast),
      int(`${id}SlowLength`, `Slow ${indicator} Length`, ...slow),
    ],
    code: (dialect) => [
      ...(define?.(dialect) ?? []),
      `${id}Fast = ${call(dialect, `${id}FastLength`)}`,
      `${id}Slow = ${call(dialect, `${id}SlowLength`)}`,
    ],
    trigger: (dialect) => crosses(dialect, `${id}Fast`, `${id}Slow`),
    filter: () => above('close', `${id}Slow`),
    draws: [`${id}Fast`, `${id}Slow`],
    words: {
      about: `a fast and a slow ${name}`,
      trigger: `the fast ${indicator} crosses the slow one`,
      filter: `price stands on the right side of the slow ${indicator}`,
    },
  };
};

const plain = (indicator: string, name: string, from?: PineVersion): Block =>
  averageBlock({
    indicator,
    name,
    ...(from ? { from } : {}),
    call: ({ ta }, length) => `${ta(indicator.toLowerCase())}(close, ${length})`,
  });

export const averages: readonly Block[] = [
  plain('SMA', 'simple moving average'),
  plain('EMA', 'exponential moving average'),
  plain('WMA', 'weighted moving average'),
  plain('RMA', 'smoothed moving average'),
  plain('VWMA', 'volume-weighted moving average'),
  plain('HMA', 'Hull moving average', 4),
  averageBlock({
    indicator: 'ALMA',
    name: 'Arnaud Legoux moving average',
    call: ({ ta }, length) => `${ta('alma')}(close, ${length}, 0.85, 6)`,
  }),
  averageBlock({
    indicator: 'DEMA',
    name: 'double exponential moving average',
    uses: ['EMA'],
    define: ({ ta }) => [
      'demaOf(src, len) =>',
      `    first = ${ta('ema')}(src, len)`,
      `    2 * first - ${ta('ema')}(first, len)`,
    ],
    call: (_, length) => `demaOf(close, ${length})`,
  }),
  averageBlock({
    indicator: 'TEMA',
    name: 'triple exponential moving average',
    uses: ['EMA'],
    define: ({ ta }) => [
      'temaOf(src, len) =>',
      `    first = ${ta('ema')}(src, len)`,
      `    second = ${ta('ema')}(first, len)`,
      `    3 * (first - second) + ${ta('ema')}(second, len)`,
    ],
    call: (_, length) => `temaOf(close, ${length})`,
  }),
  averageBlock({
    indicator: 'KAMA',
    name: "Kaufman's adaptive moving average",
    define: ({ ta, math }) => [
      'kamaOf(src, len) =>',
      `    way = ${math('sum')}(${math('abs')}(${ta('change')}(src)), len)`,
      `    efficiency = way != 0 ? ${math('abs')}(src - src[len]) / way : 0.0`,
      `    pace = ${math('pow')}(efficiency * 0.6022 + 0.0645, 2)`,
      '    result = src',
      '    result := nz(result[1], src) + pace * (src - nz(result[1], src))',
      '    result',
    ],
    call: (_, length) => `kamaOf(close, ${length})`,
  }),
];
