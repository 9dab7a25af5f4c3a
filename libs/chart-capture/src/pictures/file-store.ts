import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pictureFormats } from '../capturer/wire.ts';
import { keyOf, type PictureStore } from './picture-store.ts';

const isMissing = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** The file is whole under its name, or not there. */
const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const next = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    const file = await open(next, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
};

/** Pictures as files of a folder. */
export const createFileStore = (folder: string): PictureStore => {
  const pathOf = (...name: Parameters<typeof keyOf>): string => join(folder, keyOf(...name));
  return {
    save: async (name, pictures) => {
      await mkdir(dirname(pathOf(name, 'png')), { recursive: true, mode: 0o700 });
      // PNG is the last one: it shows that the others are there.
      for (const format of pictureFormats.toReversed())
        await writeWhole(pathOf(name, format), pictures[format]);
    },
    read: async (name, format) => {
      try {
        return await readFile(pathOf(name, format));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    has: (name) =>
      stat(pathOf(name, 'png')).then(
        (info) => info.isFile() && info.size > 0,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      ),
    remove: async (name) => {
      for (const format of pictureFormats) await rm(pathOf(name, format), { force: true });
      // Unless it has another version.
      await rmdir(dirname(pathOf(name, 'png'))).catch(() => undefined);
    },
  };
};
