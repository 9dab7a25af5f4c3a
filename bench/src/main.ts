import { fork } from 'node:child_process';
import { describeMachine } from './databases.ts';
import { say, showClaims, type Claim } from './print.ts';

type Part = (quick: boolean, record: boolean) => Promise<readonly Claim[]>;

// Loaded one at a time: emmett changes how the driver reads numbers, and memory is measured in a process of its own.
const parts: Readonly<Record<string, () => Promise<Part>>> = {
  appends: async () => (await import('./appends.ts')).benchAppends,
  projections: async () => (await import('./projections.ts')).benchProjections,
  explorer: async () => (await import('./explorer/explorer.ts')).benchExplorer,
  http: async () => (await import('./http/http.ts')).benchHttp,
};

const flags = ['--quick', '--record'];
const [wanted, ...rest] = process.argv.slice(2).filter((word) => !flags.includes(word));
const [quick = false, record = false] = flags.map((flag) => process.argv.includes(flag));
/** A million rows of somebody else's documents need more than Node gives by itself; in MB. */
const heap = 16_384;

const runPart = (part: string): Promise<readonly Claim[]> =>
  new Promise((resolve, reject) => {
    const words = ['--part', part, ...flags.filter((flag) => process.argv.includes(flag))];
    const execArgv = [
      '--enable-source-maps',
      '--max-semi-space-size=64',
      '--expose-gc',
      `--max-old-space-size=${heap}`,
    ];
    const child = fork(import.meta.filename, words, { execArgv });
    let claims: readonly Claim[] | undefined;
    child.on('message', (message) => {
      claims = message as readonly Claim[];
    });
    child.once('exit', (code) => {
      if (code === 0 && claims) resolve(claims);
      else reject(new Error(`The part "${part}" of the benchmark failed.`));
    });
  });

const runAll = async (): Promise<void> => {
  await describeMachine();
  const claims: Claim[] = [];
  for (const part of wanted === undefined ? Object.keys(parts) : [wanted]) {
    claims.push(...(await runPart(part)));
  }
  if (quick) say('A quick run shows that the benchmark works; its figures say nothing.\n');
  showClaims(claims);
};

const main = async (): Promise<void> => {
  if (wanted === '--part') {
    const part = await parts[rest[0] ?? '']?.();
    if (!part) throw new Error(`There is no part "${rest[0]}".`);
    let finished = false;
    // Never outlives the process that waits for it.
    process.once('disconnect', () => process.exit(finished ? 0 : 1));
    const claims = await part(quick, record);
    finished = true;
    process.send?.(claims, () => process.disconnect());
    return;
  }
  if (rest.length > 0 || (wanted !== undefined && !Object.hasOwn(parts, wanted))) {
    throw new Error(
      `Say one of ${Object.keys(parts).join(', ')}, or nothing for all of them; --quick shortens, --record keeps the ratios.`,
    );
  }
  await runAll();
};

main().catch((error: unknown) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
