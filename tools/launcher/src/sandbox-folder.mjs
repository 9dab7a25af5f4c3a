// The folder of the sandbox: the only one that a process of the product can write.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibleFolder, createFolder } from '@tapedeck/dev-postgres/system-user';

/** @param {string} dataFolder */
const folderIn = (dataFolder) => accessibleFolder(join(dataFolder, 'sandbox'), () => {});

/**
 * Gives it to the user of the sandbox. What another user has left there is deleted, since it could not be read: it is
 * made again.
 * @param {string} dataFolder @param {import('@tapedeck/dev-postgres/system-user').Owner} owner
 */
export const createSandboxFolder = async (dataFolder, owner) => {
  const folder = await folderIn(dataFolder);
  await createFolder(folder, owner);
  const uid = owner.uid ?? process.getuid?.();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (uid !== undefined && (await lstat(path)).uid !== uid)
      await rm(path, { recursive: true, force: true });
  }
  // Where it was before.
  await rm(join(dataFolder, 'sandbox-keys.json'), { force: true });
  return folder;
};

/** @param {string} dataFolder */
export const deleteSandboxFolder = async (dataFolder) =>
  rm(await folderIn(dataFolder), { recursive: true, force: true });
