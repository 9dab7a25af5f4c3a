import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { times } from '../print.ts';

const file = fileURLToPath(new URL('../../last.json', import.meta.url));

/** Rows to contender to how many times longer it took than ours. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Ratios of the last figures that were kept; none of them when there are no such figures yet. */
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

/** By how much our lead may shrink from one run to the next before it is worth a look. */
const worst = 2;

/** One sentence for each contender that has come that much nearer to us. */
export const fallenRatios = (last: Ratios, now: Ratios): readonly string[] =>
  Object.entries(now).flatMap(([rows, ratios]) =>
    Object.entries(ratios).flatMap(([name, ratio]) => {
      const before = last[rows]?.[name];
      if (before === undefined || ratio * worst > before) return [];
      return [`${name} at ${rows} rows: ${times(before)} before, ${times(ratio)} now`];
    }),
  );
