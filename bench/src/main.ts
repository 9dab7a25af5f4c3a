import { fork } from 'node:child_process';
import { describeMachine } from './databases.ts';
import { say, printClaims, type Claim } from './print.ts';

type Part = (quick: boolean, record: boolean) => Promise<readonly Claim[]>;

// Each part runs in its own process: emmett changes how the driver parses numbers, and one part measures memory.
const parts: Readonly<Record<string, () => Promise<Part>>> = {
  appends: async () => (await import('./appends/appends.ts')).benchAppends,
  projections: async () => (await import('./projections/projections.ts')).benchProjections,
  size: async () => (await import('./size/size.ts')).benchSize,
  streams: async () => (await import('./streams/streams.ts')).benchStreams,
  explorer: async () => (await import('./explorer/explorer.ts')).benchExplorer,
  http: async () => (await import('./http/http.ts')).benchHttp,
  fairness: async () => (await import('./fairness/fairness.ts')).benchFairness,
  audit: async () => (await import('./audit/audit.ts')).benchAudit,
  capture: async () => (await import('./capture/capture.ts')).benchCapture,
  upload: async () => (await import('./upload/upload.ts')).benchUpload,
  webhooks: async () => (await import('./webhooks/webhooks.ts')).benchWebhooks,
};

const flags = ['--quick', '--record'];
const [wantedPart, ...rest] = process.argv.slice(2).filter((word) => !flags.includes(word));
const [quick = false, record = false] = flags.map((flag) => process.argv.includes(flag));
/** The contenders with a million rows need more than the default of Node. */
const maxHeapMb = 16_384;

/** Undefined when the part has failed; it has printed why. */
const runPart = (part: string): Promise<readonly Claim[] | undefined> =>
  new Promise((resolve) => {
    const words = ['--part', part, ...flags.filter((flag) => process.argv.includes(flag))];
    const execArgv = [
      '--enable-source-maps',
      '--max-semi-space-size=64',
      '--expose-gc',
      `--max-old-space-size=${maxHeapMb}`,
    ];
    const child = fork(import.meta.filename, words, { execArgv });
    let claims: readonly Claim[] | undefined;
    child.on('message', (message) => {
      claims = message as readonly Claim[];
    });
    child.once('exit', (code) => resolve(code === 0 ? claims : undefined));
  });

const runAll = async (): Promise<void> => {
  await describeMachine();
  const claims: Claim[] = [];
  const durations: string[] = [];
  const failed: string[] = [];
  for (const part of wantedPart === undefined ? Object.keys(parts) : [wantedPart]) {
    const startedAt = performance.now();
    const found = await runPart(part);
    if (found) claims.push(...found);
    else failed.push(part);
    durations.push(`${part} ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  say(`Parts: ${durations.join(', ')}.\n`);
  if (quick) say('A quick run only shows that the benchmark works; its results mean nothing.\n');
  printClaims(claims);
  if (failed.length > 0) throw new Error(`These parts of the benchmark failed: ${failed.join(', ')}.`);
};

const main = async (): Promise<void> => {
  if (wantedPart === '--part') {
    const part = await parts[rest[0] ?? '']?.();
    if (!part) throw new Error(`There is no part "${rest[0]}".`);
    let finished = false;
    // Ends with the process that waits for it.
    process.once('disconnect', () => process.exit(finished ? 0 : 1));
    const claims = await part(quick, record);
    finished = true;
    process.send?.(claims, () => process.disconnect());
    return;
  }
  if (rest.length > 0 || (wantedPart !== undefined && !Object.hasOwn(parts, wantedPart))) {
    throw new Error(
      `Give one of ${Object.keys(parts).join(', ')}, or nothing for all; --quick shortens the run, --record writes the ratios to last.json.`,
    );
  }
  await runAll();
};

main().catch((error: unknown) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
