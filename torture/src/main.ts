import { runTorture } from './torture.ts';

const maxShownProblems = 20;

const numberOf = (name: string, byDefault: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  if (index < 0) return byDefault;
  const value = Number(process.argv[index + 1]);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} needs a whole number, such as --${name} 500.`);
  return value;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const main = async (): Promise<number> => {
  const startedAt = performance.now();
  const seed = numberOf('seed', Date.now() % 1_000_000_000);
  const faults = numberOf('faults', 500);
  say(`${faults} faults, seed ${seed} (repeat with --seed ${seed})`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort(new Error(`Ended by ${signal}.`)));
  }
  const report = await runTorture({ faults, seed, withElasticsearch: true, say, signal: stopping.signal });
  for (const [name, count] of Object.entries(report.injected)) say(`  ${count} × ${name}`);
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
  say(`Duration: ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  if (report.problems.length === 0) {
    const index = report.index ? ', the Elasticsearch index' : '';
    say(
      `Every acknowledged change is on the tape once and in order; read models${index} and engines equal a rebuild.`,
    );
    return 0;
  }
  for (const problem of report.problems.slice(0, maxShownProblems)) say(`✗ ${problem}`);
  say(`${report.problems.length} problems; the logs of the processes are in ${report.logFolder}.`);
  return 1;
};

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`✗ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
