import { isClamped } from './cell-text.ts';

export type Row = readonly (string | null)[];
/** Of a cell: the number of its row, and of its column. */
export type Place = Readonly<{ row: number; at: number }>;

export const firstClamped = (rows: readonly Row[]): Place | null => {
  for (const [row, values] of rows.entries()) {
    const at = values.findIndex(isClamped);
    if (at >= 0) return { row, at };
  }
  return null;
};

/** The next clamped cell in the direction of an arrow key: in the row, or in the column. */
export const clampedAfter = (rows: readonly Row[], { row, at }: Place, key: string): Place | null => {
  const isThere = (place: Place): boolean => isClamped(rows[place.row]?.[place.at] ?? null);
  const width = rows[0]?.length ?? 0;
  const candidates: Readonly<Record<string, readonly Place[]>> = {
    ArrowRight: Array.from({ length: Math.max(0, width - at - 1) }, (_, step) => ({
      row,
      at: at + step + 1,
    })),
    ArrowLeft: Array.from({ length: at }, (_, step) => ({ row, at: at - step - 1 })),
    ArrowDown: Array.from({ length: Math.max(0, rows.length - row - 1) }, (_, step) => ({
      row: row + step + 1,
      at,
    })),
    ArrowUp: Array.from({ length: row }, (_, step) => ({ row: row - step - 1, at })),
  };
  return candidates[key]?.find(isThere) ?? null;
};
