import type { Actor, EventStore } from '@tapedeck/eventing';
import { DomainError, newId, type Clock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import { printable } from '../printable.ts';
import { importId } from '../domain/ids.ts';
import { importArchive } from './import-archive.ts';
import { hasImported, type ImportReport } from './import-report.ts';
import type { ImportProgress } from './import-records.ts';

type Output = Readonly<{ write: (text: string) => unknown; isTTY?: boolean }>;

type RunImportOptions = Readonly<{
  path: string;
  store: EventStore;
  clock: Clock;
  output?: Output;
  errors?: Output;
  /** How often, and for how long, an import tries again whose database is unavailable. */
  waiting?: Partial<Pick<Waiting, 'retryMs' | 'patienceMs'>>;
}>;

const actor: Actor = { id: 'command-line', kind: 'system' };
const defaultRetryMs = 1_000;
const defaultPatienceMs = 5 * 60_000;
const barWidth = 28;
const maxShownRejections = 20;
const maxShownDuplicates = 10;

const formatNumber = (value: number): string => value.toLocaleString('en');

const barOf = ({ done, total, current }: ImportProgress): string => {
  const filled = total ? Math.round((Math.min(done, total) / total) * barWidth) : 0;
  const bar = `[${'█'.repeat(filled)}${'·'.repeat(barWidth - filled)}]`;
  return `${bar} ${formatNumber(done)} / ${formatNumber(total ?? done)}  ${printable(current.slice(0, 36))}`;
};

/** A progress bar on a terminal; elsewhere a line for every tenth. */
const showProgress = (output: Output): ((progress: ImportProgress) => void) => {
  let tenths = 0;
  return (progress) => {
    if (output.isTTY) {
      output.write(`\r\x1b[2K${barOf(progress)}`);
      return;
    }
    const reached = progress.total ? Math.floor((progress.done / progress.total) * 10) : 0;
    if (reached <= tenths) return;
    tenths = reached;
    output.write(`${formatNumber(progress.done)} of ${formatNumber(progress.total ?? 0)}\n`);
  };
};

const moreLine = (shown: number, all: number): readonly string[] =>
  all > shown ? [`  … and ${formatNumber(all - shown)} more`] : [];

const summaryOf = (report: ImportReport, milliseconds: number): string => {
  const { added, revised, unchanged, rejected, source, rejections, duplicates, failure } = report;
  const counts = `${formatNumber(added)} added, ${formatNumber(revised)} revised, ${formatNumber(unchanged)} unchanged`;
  const shown = rejections.slice(0, maxShownRejections);
  const repeated = duplicates.slice(0, maxShownDuplicates);
  return [
    `${printable(source.name)}: ${counts}, ${formatNumber(rejected)} rejected (${(milliseconds / 1000).toFixed(1)} s)`,
    ...(shown.length > 0 ? ['Rejected:'] : []),
    ...shown.map(({ entry, code, reason }) => `  ${printable(entry)}: ${printable(reason)} [${code}]`),
    ...moreLine(shown.length, rejected),
    ...(repeated.length > 0 ? ['More than once in the file; the last one counts:'] : []),
    ...repeated.map(
      ({ urlId, kept, dropped }) => `  ${urlId}: ${printable(kept)}, not ${printable(dropped.join(', '))}`,
    ),
    ...moreLine(repeated.length, report.duplicateCount),
    ...(failure ? [`✗ ${printable(failure.reason)} [${failure.code}]`] : []),
    '',
  ].join('\n');
};

const withInterrupt = async <Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    return await run(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt);
  }
};

type Waiting = Readonly<{ errors: Output; clock: Clock; retryMs: number; patienceMs: number }>;

const ended = (waitedMs: number, cause: DomainError): DomainError =>
  new DomainError(
    'unavailable',
    'IMPORT_INTERRUPTED',
    `The database was unavailable for ${Math.round(waitedMs / 60_000)} minutes (${cause.message}) Strategies imported until then stay in the catalogue: start the database, then import the file again.`,
  );

/** Repeats the import under its id, which resumes it, while the database is unavailable. */
const importPatiently = async (
  options: Parameters<typeof importArchive>[0],
  { errors, clock, retryMs, patienceMs }: Waiting,
): Promise<ImportReport> => {
  let done = 0;
  let awaySince: number | undefined;
  const onProgress = (progress: ImportProgress): void => {
    if (progress.done > done) {
      done = progress.done;
      awaySince = undefined;
    }
    options.onProgress?.(progress);
  };
  for (;;) {
    try {
      return await importArchive({ ...options, onProgress });
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error;
      if (awaySince === undefined) {
        awaySince = clock.now();
        errors.write('The database cannot be reached: the import goes on as soon as it is back.\n');
      }
      const waitedMs = clock.now() - awaySince;
      if (waitedMs > patienceMs || options.signal?.aborted) throw ended(waitedMs, error);
      await setTimeout(retryMs, undefined, { signal: options.signal }).catch(() => {});
    }
  }
};

/** `npm run import`: the exit status is 1 only if nothing was imported (docs/product-decisions.md#import). */
export const runImport = async (options: RunImportOptions): Promise<0 | 1> => {
  const { path, store, clock, output = process.stdout, errors = process.stderr } = options;
  const waiting = {
    errors,
    clock,
    retryMs: defaultRetryMs,
    patienceMs: defaultPatienceMs,
    ...options.waiting,
  };
  const startedAt = clock.now();
  const onProgress = showProgress(output);
  try {
    const report = await withInterrupt((signal) =>
      importPatiently(
        { path, importId: importId(newId()), store, actor, clock, onProgress, signal },
        waiting,
      ),
    );
    if (output.isTTY) output.write('\r\x1b[2K');
    output.write(summaryOf(report, clock.now() - startedAt));
    return hasImported(report) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    errors.write(`✗ ${printable(error.message)} [${error.code}]\n`);
    return 1;
  }
};
