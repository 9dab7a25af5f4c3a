// The system user that servers run as when the command is run as root, and the folders that this user can enter.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const asRoot = process.getuid?.() === 0;
export const systemFolder = '/var/lib/tapedeck';

/** @typedef {{ uid?: number, gid?: number }} Owner */

/** Servers refuse to run as root. As root: the user they run as instead, created if necessary. @param {string} name */
export const systemUser = async (name) => {
  if (!asRoot) return /** @type {Owner} */ ({});
  const idsOf = async (/** @type {string} */ user) => {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  };
  const existing = await idsOf(name).catch(() => undefined);
  if (existing) return existing;
  await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell=/usr/sbin/nologin',
    name,
  ]).catch(() => undefined);
  return idsOf(name).catch(() => idsOf('nobody'));
};

/** Whether any user can enter the folder and all its parents. */
export const isReadableByAll = async (/** @type {string} */ path) => {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const info = await stat(folder).catch(() => undefined);
    if (info && (info.mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
};

/** The folder of the data: another one than requested if the system user cannot enter that (docs/product-decisions.md#several-instances-on-one-machine). */
export const accessibleFolder = async (
  /** @type {string} */ folder,
  /** @type {(line: string) => void} */ log,
) => {
  if (!asRoot || (await isReadableByAll(dirname(folder)))) return folder;
  const key = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  const moved = join(systemFolder, `data-${key}`);
  log(`The system user of a process cannot enter ${dirname(folder)}: its data is in ${moved}.`);
  return moved;
};

/** A folder for its owner only, in one that everybody may enter. */
export const createFolder = async (/** @type {string} */ folder, /** @type {Owner} */ owner) => {
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await access(folder, constants.W_OK);
  } catch {
    throw new Error(`The data folder ${folder} cannot be written: choose another with DATA_DIR.`);
  }
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
};
