import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a measurement has to end or delete, the last one first. */
export type CleanUps = (() => unknown)[];

/** Measures in a folder that is deleted afterwards; the server's account may read it. */
export const inTemporaryFolder = async <Result>(
  measure: (folder: string, cleanUps: CleanUps) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-bench-'));
  await chmod(folder, 0o755);
  const cleanUps: CleanUps = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measure(folder, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
};
