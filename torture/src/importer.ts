import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '@tapedeck/eventing';
import { messageOf, newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';

/** An import that was reported as complete, with the number of strategies that it has added or revised. */
export type CompletedImport = Readonly<{ id: string; changes: number }>;

type ImportRecordsOptions = Parameters<typeof importRecords>[0];
type ImportReport = Awaited<ReturnType<typeof importRecords>>;

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
const maxFailures = 120;
/** Between two imports, so that the streams of the strategies do not become long. */
const pauseMs = 1_000;

/** Repeats the import until it is complete, whatever fails; null when it is aborted. */
const completeImport = async (
  options: ImportRecordsOptions,
  abort: AbortSignal,
): Promise<ImportReport | null> => {
  for (let failures = 0; !abort.aborted;) {
    try {
      return await importRecords(options);
    } catch (error) {
      failures++;
      if (failures === maxFailures) {
        const message = `An import failed ${failures} times in a row: ${messageOf(error)}`;
        throw new Error(message, { cause: error });
      }
      await setTimeout(retryDelayMs);
    }
  }
  return null;
};

/** Imports revisions of the same strategies until it has to finish; an interrupted import is resumed. */
export const runImporter = async (options: ImporterOptions): Promise<void> => {
  const { store, strategies, seed, completed, finish, abort, atLeast = 0 } = options;
  for (let n = 0; n < atLeast || !finish.aborted; n++) {
    const id = importId(newId());
    const report = await completeImport(
      {
        name: `torture ${n}`,
        records: [...demoRecords({ count: strategies, seed: seed + n, code: false })],
        total: strategies,
        importId: id,
        store,
        clock: systemClock,
        actor: { id: 'torture', kind: 'system' },
      },
      abort,
    );
    if (report) completed.push({ id, changes: report.added + report.revised });
    await setTimeout(pauseMs);
  }
};
