import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { signIn } from '../http/sign-in.ts';
import { count, say, times, type Claim } from '../print.ts';
import { timed } from '../statistics.ts';
import { inTemporaryFolder, type CleanUps } from '../temporary-folder.ts';
import { untilMade } from '../webhooks/effects.ts';
import { environmentOf, programs, startProgram, type Running } from '../webhooks/processes.ts';
import { honestArchive } from './honest-archive.ts';
import { importPlainly } from './peer.ts';

type Sizes = Readonly<{ strategies: number; noise: number }>;
const fullSizes: Sizes = { strategies: 8_800, noise: 330 };
const quickSizes: Sizes = { strategies: 200, noise: 330 };

const aims = { seconds: 60, growthMb: 100 };
const pollIntervalMs = 500;
const mebibyte = 1_048_576;

type Memory = Readonly<{
  /** The most memory that the process has ever had, in bytes. */
  peak: number;
  /** What V8 has taken of it for the young generations of its threads. */
  young: number;
}>;

const preload = new URL('young-generation.js', import.meta.url).href;

/** Of a process that was started with `preload`. */
const memoryOf = async ({ processId, ask }: Running): Promise<Memory> => {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
  return { peak, young: Number(await ask({ type: 'young' })) };
};

const growthBetween = (before: Memory, after: Memory): Memory => ({
  peak: after.peak - before.peak,
  young: after.young - before.young,
});

/** A session with the role of an admin. */
const signInAsAdmin = async (url: string, pool: Pool): Promise<string> => {
  const email = 'admin@tapedeck.example';
  const cookie = await signIn(url, email);
  const { id } = (await (await fetch(`${url}/api/auth/user`, { headers: { cookie } })).json()) as {
    id: string;
  };
  await pool.query(`insert into account_roles (account_id, roles, version) values ($1, '{admin}', 1)`, [id]);
  return signIn(url, email);
};

type Status = Readonly<{ phase: string; message: string; imported: Readonly<{ added: number }> | null }>;

type Job = Readonly<{ url: string; headers: Readonly<Record<string, string>>; jobId: string }>;

const upload = async (url: string, cookie: string, archive: Buffer): Promise<Job> => {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const body = new FormData();
  body.set('zipFile', new Blob([new Uint8Array(archive)], { type: 'application/zip' }), 'bench.zip');
  const path = `${url}/api/admin/process-strategies-polling`;
  const answer = await fetch(path, { method: 'POST', headers, body });
  if (answer.status !== 202) throw new Error(`The upload failed: ${answer.status} ${await answer.text()}`);
  const { jobId } = (await answer.json()) as { jobId: string };
  return { url, headers, jobId };
};

/** Polls as the screen does. Returns how many strategies are new. */
const untilEnd = async ({ url, headers, jobId }: Job): Promise<number> => {
  for (;;) {
    const polled = await fetch(`${url}/api/admin/process-status/${jobId}`, { headers });
    const { phase, message, imported } = (await polled.json()) as Status;
    if (phase === 'error') throw new Error(message);
    if (phase === 'complete') return imported?.added ?? 0;
    await setTimeout(pollIntervalMs);
  }
};

type Measured = Readonly<{
  bytes: number;
  oursMs: number;
  plainMs: number;
  requestGrowth: Memory;
  growth: Memory;
  /** What a new process with the imported strategies has more than one without strategies. */
  catalogue: Memory;
}>;

const assertCount = (found: number, { strategies }: Sizes): void => {
  if (found === strategies) return;
  throw new Error(`${found} of ${strategies} strategies were imported: the results are invalid.`);
};

const measure = async (sizes: Sizes, folder: string, cleanUps: CleanUps): Promise<Measured> => {
  const databases = {
    tapedeck: await freshDatabase('bench_upload'),
    catalogue: await freshDatabase('bench_upload_catalogue'),
  };
  const pool = steadyPool(databases.tapedeck, 2);
  const plain = steadyPool(await freshDatabase('bench_upload_plain'), 1);
  cleanUps.push(
    () => pool.end(),
    () => plain.end(),
  );
  const { url, env } = await environmentOf(databases, folder, 'http://127.0.0.1:1/');
  const start = async (program: string): Promise<Running> => {
    const running = await startProgram(program, env, program === programs.api ? preload : undefined);
    cleanUps.push(running.stop);
    return running;
  };
  await start(programs.sandbox);
  await start(programs.projector);
  await untilMade(pool, ['strategy_imports']);
  const api = await start(programs.api);
  const cookie = await signInAsAdmin(url, pool);
  const archive = honestArchive(sizes.strategies, sizes.noise);
  const plainMs = await timed(async () => assertCount(await importPlainly(plain, archive), sizes));
  await runCheckpoint();
  const before = await memoryOf(api);
  let received = before;
  const oursMs = await timed(async () => {
    const job = await upload(url, cookie, archive);
    received = await memoryOf(api);
    assertCount(await untilEnd(job), sizes);
  });
  const after = await memoryOf(api);
  await api.stop();
  const restarted = await memoryOf(await start(programs.api));
  return {
    bytes: archive.length,
    oursMs,
    plainMs,
    requestGrowth: growthBetween(before, received),
    growth: growthBetween(before, after),
    catalogue: growthBetween(before, restarted),
  };
};

const megabytes = (bytes: number): string => (bytes / mebibyte).toFixed(0);

const memoryClaim = (claim: string, { peak, young }: Memory): Claim => ({
  claim,
  aim: `+ ≤ ${aims.growthMb} MB`,
  measured: `+ ${megabytes(peak - young)} MB`,
  reached: (peak - young) / mebibyte <= aims.growthMb,
});

export const benchUpload = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  const { bytes, oursMs, plainMs, requestGrowth, growth, catalogue } = await inTemporaryFolder(
    (folder, cleanUps) => measure(sizes, folder, cleanUps),
  );
  const seconds = oursMs / 1_000;
  say(
    `Upload: ${count(sizes.strategies)} strategies in ${(bytes / mebibyte).toFixed(1)} MB, from the request to the end of the import; ${times(oursMs / plainMs)} the time of a script that unpacks and inserts them (${(plainMs / 1_000).toFixed(1)} s).`,
  );
  say(
    `The peak of the API's memory grows by ${megabytes(growth.peak)} MB, ${megabytes(growth.young)} MB of them the young generations of V8, which grow with any load up to the size that is set, and which are not in the table. An API that starts with the imported strategies has ${megabytes(catalogue.peak - catalogue.young)} MB more than one without strategies.`,
  );
  say();
  return [
    {
      claim: `import of an upload of ${megabytes(bytes)} MB`,
      aim: `≤ ${aims.seconds} s`,
      measured: `${seconds.toFixed(1)} s`,
      reached: seconds <= aims.seconds,
    },
    memoryClaim('memory of the API while it receives the file', requestGrowth),
    memoryClaim('until the end, when its explorer has the strategies', growth),
  ];
};
