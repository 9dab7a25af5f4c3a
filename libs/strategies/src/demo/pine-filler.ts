import type { Dialect, PineInput } from './pine-dialect.ts';
import type { Random } from './random.ts';

/** Additional code of a script, with its inputs and its conditions on a signal. */
export type Filler = Readonly<{
  lines: readonly string[];
  conditions: readonly string[];
  inputs?: readonly PineInput[];
}>;

type Part = Readonly<{
  overhead: number;
  write: (lines: number, dialect: Dialect, random: Random) => Filler;
}>;

const calendar: Part = {
  overhead: 3,
  write: (lines, _dialect, random) => {
    const days = Array.from({ length: lines }, () => {
      const date = `year == ${random.int(2012, 2026)} and month == ${random.int(1, 12)} and dayofmonth == ${random.int(1, 28)}`;
      return `quietDay := ${date} ? true : quietDay`;
    });
    return {
      lines: ['', '// Days on which nothing is traded', 'quietDay = false', ...days],
      conditions: ['not quietDay'],
    };
  },
};

const hours: Part = {
  overhead: 3,
  write: (lines, _dialect, random) => {
    const weights = Array.from({ length: lines }, () => {
      const weight = random.between(0.05, 1).toFixed(3);
      return `hourWeight := hour == ${random.int(0, 23)} and dayofweek == ${random.int(1, 7)} ? ${weight} : hourWeight`;
    });
    return {
      lines: ['', '// How much each hour of the week is worth', 'hourWeight = 1.0', ...weights],
      conditions: ['hourWeight > 0.1'],
    };
  },
};

const levels: Part = {
  overhead: 4,
  write: (lines, { ta }, random) => {
    const rungs = Array.from({ length: lines }, () => {
      const share = random.between(0.01, 0.99).toFixed(4);
      return `rungsBelow := close > gridLow + ${share} * gridHeight ? rungsBelow + 1 : rungsBelow`;
    });
    return {
      lines: [
        '',
        `gridLow = ${ta('lowest')}(low, 200)`,
        `gridHeight = ${ta('highest')}(high, 200) - gridLow`,
        'rungsBelow = 0',
        ...rungs,
      ],
      conditions: ['rungsBelow >= 0'],
    };
  },
};

const dateWindow: Part = {
  overhead: 5,
  write: (_lines, dialect, random) => {
    const first = random.int(2015, 2022);
    const inputs: readonly PineInput[] = [
      { name: 'firstYear', label: 'First Year', type: 'int', value: first },
      { name: 'lastYear', label: 'Last Year', type: 'int', value: first + random.int(3, 20) },
    ];
    return {
      inputs,
      lines: [
        '',
        '// Only these years',
        ...inputs.map(dialect.input),
        'inWindow = year >= firstYear and year <= lastYear',
      ],
      conditions: ['inWindow'],
    };
  },
};

const none: Filler = { lines: [], conditions: [] };

/** Code of about `lines` lines; of exactly as many from 20 on. */
export const fillerOf = (lines: number, dialect: Dialect, random: Random): Filler => {
  if (lines < dateWindow.overhead) return none;
  if (lines < 20) return dateWindow.write(0, dialect, random);
  const parts = random.some([calendar, hours, levels], lines < 60 ? 1 : lines < 300 ? 2 : 3);
  const each = Math.floor(lines / parts.length);
  const written = parts.map((part, index) => {
    const own = index === 0 ? lines - each * (parts.length - 1) : each;
    return part.write(own - part.overhead, dialect, random);
  });
  return {
    lines: written.flatMap((part) => part.lines),
    conditions: written.flatMap((part) => part.conditions),
  };
};
