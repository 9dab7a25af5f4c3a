import { createHash } from 'node:crypto';
import type { StrategyRecord } from '../domain/strategy-record.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
};

/** The same for records that say the same, in whatever order their fields stand; and about how much they say. */
export const fingerprintOf = (record: StrategyRecord): Readonly<{ contentHash: string; length: number }> => {
  const text = JSON.stringify(sorted(record));
  return { contentHash: createHash('sha256').update(text).digest('hex'), length: text.length };
};
