import { createHash } from 'node:crypto';
import type { StrategyRecord } from '../domain/strategy-record.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
};

/** The same for records that say the same, in whatever order their fields stand. */
export const contentHashOf = (record: StrategyRecord): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(record)))
    .digest('hex');
