// At most one launcher works in a data folder.
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { identityOf, isRunning } from '@tapedeck/dev-postgres/process-identity';

/** @typedef {import('@tapedeck/dev-postgres/process-identity').ProcessIdentity} ProcessIdentity */

/**
 * @param {string} file
 * @returns {Promise<ProcessIdentity | undefined>} undefined when it is missing or not one of ours
 */
const holderIn = async (file) => {
  try {
    const { pid, started } = JSON.parse(await readFile(file, 'utf8'));
    return Number.isInteger(pid) && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
};

/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => /** @type {NodeJS.ErrnoException} */ (error).code === code;

/**
 * Takes the lock, which ends with this process. Returns the process that holds it if that is another one.
 * @param {string} file
 * @returns {Promise<ProcessIdentity | undefined>}
 */
export const takeLock = async (file) => {
  const own = `${file}.${process.pid}`;
  const stale = `${own}.stale`;
  await writeFile(own, JSON.stringify(await identityOf(process.pid)), { mode: 0o600 });
  try {
    for (;;) {
      // A file appears under the name with its whole content, or not at all.
      const taken = await link(own, file).then(
        () => true,
        (error) => {
          if (hasCode(error, 'EEXIST')) return false;
          throw error;
        },
      );
      if (taken) return undefined;
      const holder = await holderIn(file);
      if (await isRunning(holder)) return holder;
      await rename(file, stale).catch((error) => {
        if (!hasCode(error, 'ENOENT')) throw error;
      });
      // Between the two steps another process may have removed it and taken the lock.
      const removed = await holderIn(stale);
      if (await isRunning(removed)) {
        await link(stale, file).catch(() => {});
        return removed;
      }
    }
  } finally {
    await rm(own, { force: true });
    await rm(stale, { force: true });
  }
};

/** Whether this process holds the lock. @param {string} file */
export const holdsLock = async (file) => {
  const holder = await holderIn(file);
  return holder?.pid === process.pid && (await isRunning(holder));
};

/** @param {string} file */
export const releaseLock = async (file) => {
  if (await holdsLock(file)) await rm(file, { force: true });
};
