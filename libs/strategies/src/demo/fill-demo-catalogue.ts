import type { Actor, EventStore } from '@tapedeck/eventing';
import { derivedId, type Clock } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { strategyImportStream } from '../domain/strategy-import.ts';
import { importRecords } from '../import/import-records.ts';
import { demoRecords } from './demo-records.ts';

type FillDemoOptions = Readonly<{
  store: EventStore;
  clock: Clock;
  count?: number;
  seed?: number;
  onProgress?: (done: number, total: number) => void;
}>;

type DemoReport = Readonly<{
  /** `not-empty`: the tape has other strategies. */
  outcome: 'filled' | 'present' | 'not-empty';
  /** The number of strategies added by this call. */
  added: number;
}>;

const system: Actor = { id: 'system', kind: 'system' };
/** Always the same id: an interrupted import is resumed, a complete one is not repeated. */
const demoImportId = importId(derivedId('demo catalogue'));

const hasStrategies = async (store: EventStore): Promise<boolean> => {
  for (let after = 0n; ;) {
    const { events, position, head } = await store.readTape({ after, limit: 1, types: ['StrategyImported'] });
    if (events.length > 0) return true;
    if (position >= head) return false;
    after = position;
  }
};

/** Fills an empty catalogue with generated strategies, through the ordinary import (docs/product-decisions.md#demo-catalogue). */
export const fillDemoCatalogue = async (options: FillDemoOptions): Promise<DemoReport> => {
  const { store, clock, count = 4_500, seed, onProgress } = options;
  const events = await store.readStream(strategyImportStream(demoImportId));
  if (events.some(({ type }) => type === 'ImportCompleted')) return { outcome: 'present', added: 0 };
  if (events.length === 0 && (await hasStrategies(store))) return { outcome: 'not-empty', added: 0 };
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
