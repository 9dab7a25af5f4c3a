import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '@tapedeck/eventing';
import { newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';

/** An import that was reported as complete, with the number of strategies that it has added or revised. */
export type CompletedImport = Readonly<{ id: string; changes: number }>;

export type ImporterOptions = Readonly<{
  store: EventStore;
  /** The number of strategies in each import; their ids are always the same. */
  strategies: number;
  /** Of the first import; each further one has the next seed, so that all its records differ. */
  seed: number;
  completed: CompletedImport[];
  /** Begins no further import. */
  finish: AbortSignal;
  /** Gives up the import that is under way, too. */
  abort: AbortSignal;
  /** The number of imports to complete in any case; 0 by default. */
  atLeast?: number;
}>;

const retryDelayMs = 500;

/** Imports revisions of the same strategies until it has to finish; an interrupted import is resumed. */
export const runImporter = async ({
  store,
  strategies,
  seed,
  completed,
  finish,
  abort,
  atLeast = 0,
}: ImporterOptions): Promise<void> => {
  for (let n = 0; n < atLeast || !finish.aborted; n++) {
    const id = importId(newId());
    const records = [...demoRecords({ count: strategies, seed: seed + n, code: false })];
    for (let isDone = false; !isDone && !abort.aborted;) {
      try {
        const { added, revised } = await importRecords({
          name: `torture ${n}`,
          records,
          total: strategies,
          importId: id,
          store,
          clock: systemClock,
          actor: { id: 'torture', kind: 'system' },
        });
        completed.push({ id, changes: added + revised });
        isDone = true;
      } catch {
        // Whatever it was: the same import is resumed until it is complete.
        await setTimeout(retryDelayMs);
      }
    }
  }
};
