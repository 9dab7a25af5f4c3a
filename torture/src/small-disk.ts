import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system that can be filled without harm to other programs. */
export type SmallDisk = Readonly<{
  path: string;
  /** Takes all space that is free. */
  fill: () => Promise<void>;
  free: () => Promise<void>;
  unmount: () => Promise<void>;
}>;

/** Two database servers with their logs take a part of it. */
const size = '1400m';
const chunk = Buffer.alloc(16 << 20);

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC';

/** Mounts a file system in memory. @throws Error where this process may not do that, with the reason. */
export const mountSmallDisk = async (): Promise<SmallDisk> => {
  const path = await mkdtemp(join(tmpdir(), 'tapedeck-disk-'));
  await chmod(path, 0o755);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path]).catch(
    async (error: unknown) => {
      await rmdir(path);
      throw error;
    },
  );
  const filler = join(path, 'filler');
  const fill = async (): Promise<void> => {
    const file = await open(filler, 'a');
    try {
      for (;;) {
        const { bavail, bsize } = await statfs(path);
        if (bavail === 0) return;
        await file.write(chunk, 0, Math.min(chunk.length, bavail * bsize));
      }
    } catch (error) {
      if (!isFull(error)) throw error;
    } finally {
      await file.close();
    }
  };
  return {
    path,
    fill,
    free: () => rm(filler, { force: true }),
    unmount: async () => {
      await run('umount', [path]);
      await rmdir(path);
    },
  };
};
