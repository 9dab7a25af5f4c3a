// The folders that processes of the product can write: of the sandbox for what it keeps, of the API for pictures.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibleFolder, createFolder } from '@tapedeck/dev-postgres/system-user';

const names = /** @type {const} */ (['sandbox', 'pictures']);

/** @param {string} dataFolder @param {(typeof names)[number]} name */
const folderIn = (dataFolder, name) => accessibleFolder(join(dataFolder, name), () => {});

/**
 * Gives a folder to the user of its process. What another user has left there is deleted, since it could not be read: it is
 * made again.
 * @param {string} dataFolder @param {(typeof names)[number]} name
 * @param {import('@tapedeck/dev-postgres/system-user').Owner} owner
 */
export const createProcessFolder = async (dataFolder, name, owner) => {
  const folder = await folderIn(dataFolder, name);
  await createFolder(folder, owner);
  const uid = owner.uid ?? process.getuid?.();
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    if (uid !== undefined && (await lstat(path)).uid !== uid)
      await rm(path, { recursive: true, force: true });
  }
  // Where the sandbox had it before.
  await rm(join(dataFolder, 'sandbox-keys.json'), { force: true });
  return folder;
};

/** @param {string} dataFolder */
export const deleteProcessFolders = async (dataFolder) => {
  for (const name of names) await rm(await folderIn(dataFolder, name), { recursive: true, force: true });
};
