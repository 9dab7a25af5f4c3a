import { DomainError, messageOf } from '@tapedeck/kernel';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Open, type CentralDirectory, type File } from 'unzipper';
import { readDirectory, readLocalHeaders, type Directory, type LocalHeader } from './zip-directory.ts';
import { checkEntries, type ZipEntry } from './zip-entries.ts';
import { brokenZip, inMebibytes, rangeStream, zipLimits, zipTooLarge, type ZipFile } from './zip-file.ts';

export type ZipArchive = Readonly<{
  entries: readonly ZipEntry[];
  /**
   * The content of an entry whose action is `read`.
   * @throws DomainError that rejects the entry, or ZIP_TOO_LARGE for the whole archive
   */
  read: (entry: ZipEntry) => Promise<Buffer>;
  close: () => Promise<void>;
}>;

type UnzipperSource = Readonly<{
  size: () => Promise<number>;
  stream: (offset: number, length?: number) => Readable;
}>;

/** The options that unzipper accepts and its type declarations leave out. */
const openSource = Open.custom as (
  source: UnzipperSource,
  options: Readonly<{ tailSize: number; padding: number }>,
) => Promise<CentralDirectory>;

/** Opens the archive with unzipper, which must find exactly the central directory that was checked. */
const openChecked = async (
  zip: ZipFile,
  directory: Directory,
  headers: readonly LocalHeader[],
): Promise<readonly File[]> => {
  const source: UnzipperSource = {
    size: async () => zip.size,
    stream: (offset, length) => rangeStream(zip, offset, length),
  };
  const tailSize = zip.size - directory.endRecord;
  // By how much a local header may exceed the central directory; 0 would mean unzipper's default.
  const padding = Math.max(1, ...headers.map(({ extraBytes }) => extraBytes));
  const { files } = await openSource(source, { tailSize, padding });
  const agrees =
    files.length === directory.entries.length &&
    directory.entries.every(
      ({ rawName, offset, compressedSize, method }, index) =>
        files[index] !== undefined &&
        // unzipper gives an empty name as text.
        Buffer.from(files[index].pathBuffer).equals(rawName) &&
        files[index].offsetToLocalFileHeader === offset &&
        files[index].compressedSize === compressedSize &&
        files[index].compressionMethod === method,
    );
  if (!agrees) throw brokenZip('its table of contents can be read in two ways');
  return files;
};

const rejectedContent = (reason: string, code = 'ENTRY_BROKEN'): DomainError =>
  new DomainError('invalid', code, `${reason}: it was left out.`);

/** The bytes that may still be inflated, of all entries together. */
type Budget = { bytesLeft: number };

const inflate = async (file: File, entry: ZipEntry, budget: Budget): Promise<Buffer> => {
  const stream = file.stream();
  // unzipper may emit the same error twice; the second one must not end the process.
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  let checksum = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    budget.bytesLeft -= chunk.length;
    if (budget.bytesLeft < 0) {
      throw zipTooLarge(`Unpacked, the ZIP file is more than ${inMebibytes(zipLimits.maxTotalBytes)}`);
    }
    if (size > entry.size) throw rejectedContent('It is larger than it says', 'ENTRY_SIZE_WRONG');
    checksum = crc32(chunk, checksum);
    chunks.push(chunk);
  }
  if (size !== entry.size) throw rejectedContent('It is smaller than it says', 'ENTRY_SIZE_WRONG');
  if (checksum !== entry.crc32) throw rejectedContent('Its checksum is wrong', 'ENTRY_CHECKSUM');
  return Buffer.concat(chunks, size);
};

const readEntry = async (files: readonly File[], entry: ZipEntry, budget: Budget): Promise<Buffer> => {
  const file = files[entry.index];
  if (entry.action.kind !== 'read' || !file) throw new Error(`Entry ${entry.index} must not be read.`);
  if (entry.size === 0 && file.compressedSize === 0) return Buffer.alloc(0);
  try {
    return await inflate(file, entry, budget);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw rejectedContent(`It cannot be unpacked (${messageOf(error)})`);
  }
};

/**
 * Opens a ZIP file after checking its central directory as a whole.
 * @throws DomainError that rejects the archive: NOT_A_ZIP, ZIP_BROKEN, ZIP_TOO_LARGE, ZIP_OVERLAP, …
 */
export const openZip = async (path: string): Promise<ZipArchive> => {
  const handle = await open(path, 'r');
  try {
    const zip = { handle, size: (await handle.stat()).size };
    const directory = await readDirectory(zip);
    const headers = await readLocalHeaders(zip, directory);
    const files = directory.entries.length === 0 ? [] : await openChecked(zip, directory, headers);
    const budget = { bytesLeft: zipLimits.maxTotalBytes };
    return {
      entries: checkEntries(directory.entries, headers),
      read: async (entry) => readEntry(files, entry, budget),
      close: async () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/** An entry with its content, or with the error of reading it; with neither when its action is not `read`. */
export type ReadEntry = Readonly<{ entry: ZipEntry; content?: Buffer; error?: unknown }>;

const maxEntriesAhead = 4;

/** Reads the entries in the given order, a few ahead of the consumer. */
export async function* readAhead(zip: ZipArchive, entries: readonly ZipEntry[]): AsyncGenerator<ReadEntry> {
  const read = async (entry: ZipEntry): Promise<ReadEntry> => {
    if (entry.action.kind !== 'read') return { entry };
    return zip.read(entry).then(
      (content) => ({ entry, content }),
      (error: unknown) => ({ entry, error }),
    );
  };
  const ahead = entries.slice(0, maxEntriesAhead).map(read);
  for (let next = maxEntriesAhead; ahead.length > 0; next++) {
    const first = ahead.shift();
    if (first) yield await first;
    const entry = entries[next];
    if (entry) ahead.push(read(entry));
  }
}
