import type { Actor, EventStore } from '@tapedeck/eventing';
import { derivedId, type Clock } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { strategyImportStream } from '../events.ts';
import { importRecords } from '../import/import-records.ts';
import { demoRecords } from './demo-records.ts';

export type FillDemoOptions = Readonly<{
  store: EventStore;
  clock: Clock;
  count?: number;
  seed?: number;
  onProgress?: (done: number, total: number) => void;
}>;

export type DemoReport = Readonly<{
  /** `left-alone`: strategies of somebody's own are on the tape. */
  outcome: 'filled' | 'present' | 'left-alone';
  /** How many were added now. */
  added: number;
}>;

const system: Actor = { id: 'system', kind: 'system' };
/** One for ever: an interrupted filling goes on, a second one has nothing to do. */
const demoImportId = importId(derivedId('demo catalogue'));

const hasStrategies = async (store: EventStore): Promise<boolean> => {
  for (let after = 0n; ;) {
    const { events, position, head } = await store.readTape({ after, limit: 1, types: ['StrategyImported'] });
    if (events.length > 0) return true;
    if (position >= head) return false;
    after = position;
  }
};

/** Fills an empty catalogue with strategies that nobody wrote, through the ordinary import (D22). */
export const fillDemoCatalogue = async (options: FillDemoOptions): Promise<DemoReport> => {
  const { store, clock, count = 4_500, seed, onProgress } = options;
  const begun = await store.readStream(strategyImportStream(demoImportId));
  if (begun.some(({ type }) => type === 'ImportCompleted')) return { outcome: 'present', added: 0 };
  if (begun.length === 0 && (await hasStrategies(store))) return { outcome: 'left-alone', added: 0 };
  const { added } = await importRecords({
    name: 'demo catalogue',
    records: demoRecords({ count, ...(seed === undefined ? {} : { seed }) }),
    total: count,
    importId: demoImportId,
    store,
    actor: system,
    clock,
    onProgress: ({ done }) => onProgress?.(done, count),
  });
  return { outcome: 'filled', added };
};
