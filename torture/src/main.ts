import { faults } from './faults.ts';
import { tortureFiles } from './files.ts';
import { tortureFirstStart, type PartOptions, type PartReport } from './first-start.ts';
import { runTorture, type TortureOptions } from './torture.ts';

const maxShownProblems = 20;

const numberOf = (name: string, byDefault: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  if (index < 0) return byDefault;
  const value = Number(process.argv[index + 1]);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} needs a whole number, such as --${name} 500.`);
  return value;
};

/** Such as `--only "disk full,search server suspended"`. */
const wantedFaults = (): readonly string[] => {
  const index = process.argv.indexOf('--only');
  const names = index < 0 ? [] : (process.argv[index + 1] ?? '').split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(name in faults));
  if (unknown !== undefined)
    throw new Error(`There is no fault "${unknown}", only: ${Object.keys(faults).join(', ')}.`);
  return names;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const sayCounts = (injected: Readonly<Record<string, number>>): void =>
  Object.entries(injected).forEach(([name, count]) => say(`  ${count} × ${name}`));

const sayProblems = (problems: readonly string[]): void =>
  problems.slice(0, maxShownProblems).forEach((problem) => say(`✗ ${problem}`));

/** The product under work, while parts of it are broken. */
const runWorkload = async (options: TortureOptions): Promise<number> => {
  const report = await runTorture(options);
  sayCounts(report.injected);
  say(
    `${report.acknowledged} changes of writers and ${report.imports} imports acknowledged; ${report.events} events on the tape.`,
  );
  for (const { origin, answered, unavailable } of report.searches) {
    say(`${answered} searches answered by ${origin}, ${unavailable} not answered.`);
  }
  if (report.index) {
    const { documents, terms } = report.index;
    say(`${documents} documents and ${terms} terms of the Elasticsearch index compared with a fresh one.`);
  }
  if (report.problems.length === 0) {
    const index = report.index ? ', the Elasticsearch index' : '';
    say(
      `Every acknowledged change is on the tape once and in order; read models${index} and engines equal a rebuild.`,
    );
    return 0;
  }
  sayProblems(report.problems);
  say(`${report.problems.length} problems; the logs of the processes are in ${report.logFolder}.`);
  return 1;
};

/** What no wanted fault needs is left out. */
const workloadOf = (options: PartOptions, wanted: readonly string[]): TortureOptions => {
  const isNeeded = (what: 'searchServer' | 'disk'): boolean =>
    wanted.length === 0 || wanted.some((name) => faults[name]?.needs === what);
  return {
    ...options,
    wanted,
    withElasticsearch: isNeeded('searchServer'),
    withSmallDisk: isNeeded('disk'),
  };
};

/** Parts that need no work, but the launcher of an instance. */
const parts: Readonly<
  Record<string, Readonly<{ faults: number; run: (options: PartOptions) => Promise<PartReport> }>>
> = {
  'first-start': { faults: 50, run: tortureFirstStart },
  files: { faults: 60, run: tortureFiles },
};

const runPart = async (part: (options: PartOptions) => Promise<PartReport>, options: PartOptions) => {
  const { injected, problems } = await part(options);
  sayCounts(injected);
  sayProblems(problems);
  say(problems.length === 0 ? 'Each time it was sound afterwards.' : `${problems.length} problems.`);
  return problems.length === 0 ? 0 : 1;
};

const main = async (): Promise<number> => {
  const startedAt = performance.now();
  const name = process.argv[2]?.startsWith('--') ? undefined : process.argv[2];
  const part = name === undefined ? undefined : parts[name];
  if (name !== undefined && !part) throw new Error(`Which part? One of ${Object.keys(parts).join(', ')}.`);
  const seed = numberOf('seed', Date.now() % 1_000_000_000);
  const count = numberOf('faults', part?.faults ?? 500);
  say(`${count} faults, seed ${seed} (repeat with --seed ${seed})`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort(new Error(`Ended by ${signal}.`)));
  }
  const options = { faults: count, seed, say, signal: stopping.signal };
  const status = await (part ? runPart(part.run, options) : runWorkload(workloadOf(options, wantedFaults())));
  say(`Duration: ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  return status;
};

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`✗ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
