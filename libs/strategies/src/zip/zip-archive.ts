import { DomainError, messageOf } from '@tapedeck/kernel';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Open, type CentralDirectory, type File } from 'unzipper';
import { rangeStream, type ZipBytes } from './zip-bytes.ts';
import { brokenZip, readDirectory, type Directory } from './zip-directory.ts';
import { judgeEntries, type ZipEntry } from './zip-entries.ts';
import { inMebibytes, zipLimits, type ZipLimits } from './zip-limits.ts';
import { readLocalHeaders, type LocalHeader } from './zip-local-headers.ts';

export type ZipArchive = Readonly<{
  entries: readonly ZipEntry[];
  /**
   * The content of an entry that is to be read.
   * @throws DomainError that refuses the entry, or ZIP_TOO_LARGE for the whole archive
   */
  read: (entry: ZipEntry) => Promise<Buffer>;
  close: () => Promise<void>;
}>;

type ZipSource = Readonly<{
  size: () => Promise<number>;
  stream: (offset: number, length?: number) => Readable;
}>;

/** The options that unzipper takes and its type declarations leave out. */
const openSource = Open.custom as (
  source: ZipSource,
  options: Readonly<{ tailSize: number; padding: number }>,
) => Promise<CentralDirectory>;

/** unzipper must see the very same table of contents that was checked. */
const openChecked = async (
  bytes: ZipBytes,
  directory: Directory,
  headers: readonly LocalHeader[],
): Promise<readonly File[]> => {
  const source: ZipSource = {
    size: async () => bytes.size,
    stream: (offset, length) => rangeStream(bytes, offset, length),
  };
  const tailSize = bytes.size - directory.endRecord;
  // How much longer a local header may be than the table of contents says; 0 would mean the default.
  const padding = Math.max(1, ...headers.map(({ extraBytes }) => extraBytes));
  const { files } = await openSource(source, { tailSize, padding });
  const same =
    files.length === directory.entries.length &&
    directory.entries.every(
      ({ rawName, offset, compressedSize, method }, index) =>
        files[index] !== undefined &&
        // An empty name comes as text.
        Buffer.from(files[index].pathBuffer).equals(rawName) &&
        files[index].offsetToLocalFileHeader === offset &&
        files[index].compressedSize === compressedSize &&
        files[index].compressionMethod === method,
    );
  if (!same) throw brokenZip('its table of contents can be read in two ways');
  return files;
};

const wrongContent = (reason: string, code = 'ENTRY_BROKEN'): DomainError =>
  new DomainError('invalid', code, `${reason}: it was left out.`);

type Budget = { left: number };

const inflate = async (file: File, entry: ZipEntry, budget: Budget): Promise<Buffer> => {
  const stream = file.stream();
  // The library may report one failure twice; the second must not end the process.
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  let checksum = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    budget.left -= chunk.length;
    if (budget.left < 0) {
      throw new DomainError(
        'too-large',
        'ZIP_TOO_LARGE',
        `Unpacked, the ZIP file is more than ${inMebibytes(zipLimits.totalBytes)}: split it.`,
      );
    }
    if (size > entry.size) throw wrongContent('It is larger than it says', 'ENTRY_SIZE_WRONG');
    checksum = crc32(chunk, checksum);
    chunks.push(chunk);
  }
  if (size !== entry.size) throw wrongContent('It is smaller than it says', 'ENTRY_SIZE_WRONG');
  if (checksum !== entry.crc32) throw wrongContent('Its checksum is wrong', 'ENTRY_CHECKSUM');
  return Buffer.concat(chunks, size);
};

const readEntry = async (files: readonly File[], entry: ZipEntry, budget: Budget): Promise<Buffer> => {
  const file = files[entry.index];
  if (entry.verdict.kind !== 'read' || !file) throw new Error(`Entry ${entry.index} is not to be read.`);
  if (entry.size === 0 && file.compressedSize === 0) return Buffer.alloc(0);
  try {
    return await inflate(file, entry, budget);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw wrongContent(`It cannot be unpacked (${messageOf(error)})`);
  }
};

/**
 * Opens a ZIP file after checking its table of contents as a whole.
 * @throws DomainError that refuses the ZIP: NOT_A_ZIP, ZIP_BROKEN, ZIP_TOO_LARGE, ZIP_OVERLAP, …
 */
export const openZip = async (path: string, limits: ZipLimits = zipLimits): Promise<ZipArchive> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = { file, size };
    const directory = await readDirectory(bytes, limits);
    const headers = await readLocalHeaders(bytes, directory);
    const files = directory.entries.length === 0 ? [] : await openChecked(bytes, directory, headers);
    const budget = { left: limits.totalBytes };
    return {
      entries: judgeEntries(directory.entries, headers, limits),
      read: async (entry) => readEntry(files, entry, budget),
      close: async () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};
