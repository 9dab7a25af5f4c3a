import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '@tapedeck/kernel';
import { temporaryFolder } from '@tapedeck/platform/testing';
import {
  endLeftovers,
  instanceProblems,
  killStart,
  secretsFile,
  startInstance,
  stopInstance,
} from './instance.ts';
import { createRandom, type Random } from './random.ts';

export type PartOptions = Readonly<{
  faults: number;
  seed: number;
  say: (line: string) => void;
  signal?: AbortSignal;
}>;

export type PartReport = Readonly<{
  injected: Readonly<Record<string, number>>;
  problems: readonly string[];
}>;

/** Some launchers are killed when they are ready, too. */
const afterReadyMs = 500;
const maxPauseMs = 1_500;
const secondKillShare = 0.2;

const measureFirstStart = async (): Promise<number> => {
  const folder = temporaryFolder();
  try {
    const product = await startInstance(folder.path);
    const problems = await stopInstance(product);
    if (problems.length > 0) throw new Error(problems.join('; '));
    return product.seconds * 1_000;
  } finally {
    await endLeftovers(folder.path);
    folder.remove();
  }
};

const secretsIn = (folder: string): string | undefined => {
  try {
    return readFileSync(secretsFile(folder), 'utf8');
  } catch {
    return undefined;
  }
};

/** The last step that the launcher had finished. */
const lastStep = (output: string): string => output.trim().split('\n').at(-1)?.trim() ?? '';

/** Kills the launcher of a first start, once or twice, and starts again. Returns what is wrong then. */
const killAndStart = async (
  folder: string,
  moments: readonly number[],
  pausesMs: readonly number[],
  note: (line: string) => void,
): Promise<readonly string[]> => {
  for (const [index, afterMs] of moments.entries()) {
    note(`killed after ${Math.round(afterMs)} ms, at "${lastStep(await killStart(folder, afterMs))}"`);
    await setTimeout(pausesMs[index]);
  }
  const secrets = secretsIn(folder);
  try {
    const product = await startInstance(folder);
    const found = await instanceProblems(product).catch((error: unknown) => [messageOf(error)]);
    const kept = secrets === undefined || secrets === secretsIn(folder) ? [] : ['the secrets were replaced'];
    return [...found, ...kept, ...(await stopInstance(product))];
  } catch (error) {
    return [messageOf(error)];
  }
};

const momentsOf = (random: Random, index: number, all: number, durationMs: number): readonly number[] => {
  const first = ((index + random.uniform()) / all) * durationMs;
  return random.uniform() < secondKillShare ? [first, random.uniform() * durationMs] : [first];
};

/** Kills the launcher at moments that are spread over the whole of a first start; each time it must start afterwards. */
export const tortureFirstStart = async ({ faults, seed, say, signal }: PartOptions): Promise<PartReport> => {
  const random = createRandom(seed);
  const durationMs = (await measureFirstStart()) + afterReadyMs;
  say(`A first start takes ${((durationMs - afterReadyMs) / 1_000).toFixed(1)} s.`);
  const problems: string[] = [];
  let kills = 0;
  for (let n = 0; n < faults; n++) {
    signal?.throwIfAborted();
    const folder = temporaryFolder();
    const moments = momentsOf(random, n, faults, durationMs);
    const pauses = moments.map(() => (random.uniform() < 0.5 ? 0 : random.uniform() * maxPauseMs));
    const notes: string[] = [];
    const found = await killAndStart(folder.path, moments, pauses, (line) => notes.push(line));
    kills += moments.length;
    say(`${n + 1}. ${notes.join(', ')}: ${found.length === 0 ? 'sound' : found.join('; ')}`);
    problems.push(...found.map((problem) => `${notes.join(', ')}: ${problem}`));
    await endLeftovers(folder.path);
    folder.remove();
  }
  return { injected: { 'launcher killed': kills }, problems };
};
