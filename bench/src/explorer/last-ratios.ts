import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { times } from '../print.ts';

const file = fileURLToPath(new URL('../../last.json', import.meta.url));

/** For each number of rows and each contender: its time divided by that of the product's engine. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The ratios of the last recorded run; empty when there is none yet. */
export const readLastRatios = async (): Promise<Ratios> => {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Ratios;
};

const digits = 3;

export const writeRatios = (ratios: Ratios): Promise<void> => {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(digits)) : value;
  return writeFile(file, `${JSON.stringify(ratios, rounded, 2)}\n`);
};

/** A ratio that has shrunk by this factor since the last recorded run is reported. */
const maxShrinkage = 2;

/** One sentence for each contender whose ratio has shrunk that much. */
export const shrunkRatios = (last: Ratios, now: Ratios): readonly string[] =>
  Object.entries(now).flatMap(([rows, ratios]) =>
    Object.entries(ratios).flatMap(([name, ratio]) => {
      const before = last[rows]?.[name];
      if (before === undefined || ratio * maxShrinkage > before) return [];
      return [`${name} at ${rows} rows: ${times(before)} before, ${times(ratio)} now`];
    }),
  );
