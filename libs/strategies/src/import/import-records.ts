import { DomainError } from '@tapedeck/kernel';
import type { ImportCounts, ImportSource } from '../domain/strategy-import.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import type { Candidate } from '../reading/read-file.ts';
import type { ImportReport } from './import-report.ts';
import { openImportStream, type ImportIdentity } from './import-stream.ts';
import { createTally } from './import-tally.ts';
import { runChunks } from './run-chunks.ts';

export type ImportProgress = ImportCounts &
  Readonly<{
    done: number;
    /** Null as long as it is not known. */
    total: number | null;
    /** What was dealt with last. */
    current: string;
  }>;

export type ImportOptions = ImportIdentity &
  Readonly<{
    onProgress?: ((progress: ImportProgress) => void) | undefined;
    /** Ends the import; what has gone in stays. */
    signal?: AbortSignal | undefined;
  }>;

export type CandidateSource = Readonly<{
  source: ImportSource;
  candidates: () => AsyncIterable<Candidate> | Iterable<Candidate>;
  total: () => number | null;
}>;

const isFinal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind !== 'unavailable';

/**
 * The import as its own stream tells it: requested, its rejections, completed or failed.
 * An interrupted import goes on under the same id; one that is complete answers as it did.
 */
export const importCandidates = async (
  { source, candidates, total }: CandidateSource,
  options: ImportOptions,
): Promise<ImportReport> => {
  const stream = openImportStream(options);
  const tally = createTally();
  const tell = async (current: string): Promise<void> => {
    await stream.reject(tally.takeRejections());
    options.onProgress?.({ ...tally.counts(), done: tally.done(), total: total(), current });
  };

  const known = await stream.request(source);
  if (known) return known;
  try {
    const { store, signal } = options;
    await runChunks(candidates(), { store, context: stream.context, tally, onSettled: tell, signal });
  } catch (error) {
    if (!isFinal(error)) throw error;
    await tell('');
    return stream.fail(tally.counts(), error);
  }
  await tell('');
  return stream.complete(tally.counts(), tally.duplicates());
};

/**
 * Takes records in that a program makes; among several of one url_id the first counts.
 *
 * @example
 * await importRecords({ name: 'demo', records: demoRecords({ count: 4_500 }), total: 4_500, importId, store, actor, clock });
 */
export const importRecords = async (
  options: ImportOptions &
    Readonly<{
      name: string;
      records: AsyncIterable<StrategyRecord> | Iterable<StrategyRecord>;
      total?: number;
    }>,
): Promise<ImportReport> => {
  const candidates = async function* (): AsyncGenerator<Candidate> {
    for await (const record of options.records) yield { kind: 'record', entry: record.url_id, record };
  };
  const source: ImportSource = { kind: 'records', name: options.name };
  return importCandidates({ source, candidates, total: () => options.total ?? null }, options);
};
