import { diceOf, type Dice } from '../../../../testing/random-catalogue.ts';
import { excludedRow, facetCount } from '../kernel.ts';
import { filterColumns, layoutFor, memoryFor, type Layout } from '../layout.ts';
import type { KernelMemory } from '../web-assembly.ts';

/** A memory with random columns, filled to its capacity and so beyond any size that is asked for. */
export type RandomColumns = Readonly<{
  memory: KernelMemory;
  layout: Layout;
  codes: readonly Uint16Array[];
  filters: readonly Uint16Array[];
  matrices: readonly Uint8Array[];
}>;

/** Ends of the scale, and values that many rows share: rows stand exactly on bounds. */
export const popularCodes = [0, 1, 2, 100, 101, 32_767, 32_768, 40_000, 65_534, 65_535] as const;

const anyCode = ({ chance, pick, below }: Dice): number => (chance(0.4) ? pick(popularCodes) : below(65_536));

export const randomColumns = (rows: number, seed: number): RandomColumns => {
  const dice = diceOf(seed);
  const layout = layoutFor(rows);
  const { capacity } = layout;
  const memory = memoryFor(layout);
  const codeColumns = (offset: number, count: number): readonly Uint16Array[] =>
    Array.from({ length: count }, (_, index) => {
      const column = new Uint16Array(memory.buffer, offset + 2 * index * capacity, capacity);
      column.set(Uint16Array.from({ length: capacity }, () => anyCode(dice)));
      return column;
    });
  return {
    memory,
    layout,
    codes: codeColumns(layout.codes, facetCount),
    filters: codeColumns(layout.filters, filterColumns.length),
    matrices: layout.bins.map((offset) => {
      const matrix = new Uint8Array(memory.buffer, offset, facetCount * capacity);
      matrix.set(Uint8Array.from({ length: matrix.length }, () => 4 * dice.below(64)));
      return matrix;
    }),
  };
};

/** A mask as filters leave it: most rows may count, some are out, some are known to fail a range or several. */
export const randomMask = (size: number, seed: number): Uint8Array => {
  const { chance, below } = diceOf(seed);
  return Uint8Array.from({ length: size }, () => {
    if (chance(0.7)) return 0;
    if (chance(0.4)) return excludedRow;
    return chance(0.7) ? 1 << below(facetCount) : below(256);
  });
};
