import type { Actor, EventStore } from '@tapedeck/eventing';
import { DomainError, newId, type Clock } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { importArchive } from './import-archive.ts';
import { wentIn, type ImportReport } from './import-report.ts';
import type { ImportProgress } from './import-records.ts';

type Output = Readonly<{ write: (text: string) => unknown; isTTY?: boolean }>;

export type RunImportOptions = Readonly<{
  path: string;
  store: EventStore;
  clock: Clock;
  output?: Output;
  errors?: Output;
}>;

const operator: Actor = { id: 'command-line', kind: 'system' };
const barWidth = 28;
const shownRejections = 20;
const shownDuplicates = 10;

const number = (value: number): string => value.toLocaleString('en');

const barOf = ({ done, total, current }: ImportProgress): string => {
  const filled = total ? Math.round((Math.min(done, total) / total) * barWidth) : 0;
  const bar = `[${'█'.repeat(filled)}${'·'.repeat(barWidth - filled)}]`;
  return `${bar} ${number(done)} / ${number(total ?? done)}  ${current.slice(0, 36)}`;
};

/** One line that is drawn anew on a terminal; elsewhere a line for every tenth. */
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
    output.write(`${number(progress.done)} of ${number(progress.total ?? 0)}\n`);
  };
};

const more = (shown: number, all: number): readonly string[] =>
  all > shown ? [`  … and ${number(all - shown)} more`] : [];

/** What a person wants to know afterwards. */
export const summaryOf = (report: ImportReport, milliseconds: number): string => {
  const { added, revised, unchanged, rejected, source, rejections, duplicates, failure } = report;
  const counts = `${number(added)} added, ${number(revised)} revised, ${number(unchanged)} unchanged`;
  const named = rejections.slice(0, shownRejections);
  const repeated = duplicates.slice(0, shownDuplicates);
  return [
    `${source.name}: ${counts}, ${number(rejected)} rejected (${(milliseconds / 1000).toFixed(1)} s)`,
    ...(named.length > 0 ? ['Left out:'] : []),
    ...named.map(({ entry, code, reason }) => `  ${entry}: ${reason} [${code}]`),
    ...more(named.length, rejected),
    ...(repeated.length > 0 ? ['In it more than once, the last one counts:'] : []),
    ...repeated.map(({ urlId, kept, dropped }) => `  ${urlId}: ${kept}, not ${dropped.join(', ')}`),
    ...more(repeated.length, report.duplicateCount),
    ...(failure ? [`✗ ${failure.reason} [${failure.code}]`] : []),
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

/** `npm run import`: the exit status is 1 only if nothing went in (D23). */
export const runImport = async (options: RunImportOptions): Promise<0 | 1> => {
  const { path, store, clock, output = process.stdout, errors = process.stderr } = options;
  const started = clock.now();
  const onProgress = showProgress(output);
  try {
    const report = await withInterrupt((signal) =>
      importArchive({ path, importId: importId(newId()), store, actor: operator, clock, onProgress, signal }),
    );
    if (output.isTTY) output.write('\r\x1b[2K');
    output.write(summaryOf(report, clock.now() - started));
    return wentIn(report) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    errors.write(`✗ ${error.message} [${error.code}]\n`);
    return 1;
  }
};
