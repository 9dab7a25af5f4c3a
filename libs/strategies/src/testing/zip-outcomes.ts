import { DomainError } from '@tapedeck/kernel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openZip } from '../zip/zip-archive.ts';

/** Runs with a temporary file of these bytes. */
export const withFile = async <Result>(
  name: string,
  bytes: Buffer | string,
  run: (path: string) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-zip-'));
  try {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return await run(path);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : String(error));

export type Outcome = readonly [name: string, contentOrCode: string];

/** Each entry's name with its content, or with the code of its rejection. */
export const zipOutcomes = async (bytes: Buffer): Promise<readonly Outcome[]> =>
  withFile('test.zip', bytes, async (path) => {
    const zip = await openZip(path);
    const outcomes: Outcome[] = [];
    for (const entry of zip.entries) {
      if (entry.action.kind === 'reject') outcomes.push([entry.name, entry.action.code]);
      if (entry.action.kind !== 'read') continue;
      const content = await zip.read(entry).then((read) => read.toString('latin1'), codeOf);
      outcomes.push([entry.name, content]);
    }
    await zip.close();
    return outcomes;
  });

/** The code with which the archive is rejected as a whole, or `opened`. */
export const openOutcome = async (bytes: Buffer): Promise<string> =>
  withFile('test.zip', bytes, async (path) => {
    try {
      await (await openZip(path)).close();
      return 'opened';
    } catch (error) {
      return codeOf(error);
    }
  });
