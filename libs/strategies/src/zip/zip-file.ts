import { DomainError } from '@tapedeck/kernel';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const mebibyte = 1024 * 1024;

/** The limits of an archive; the README of the module has the reasons. */
export const zipLimits = {
  maxArchiveBytes: 256 * mebibyte,
  maxEntries: 20_000,
  maxDirectoryBytes: 16 * mebibyte,
  /** Of all entries together: as declared, and as inflated. */
  maxTotalBytes: 400 * mebibyte,
  maxEntryBytes: 8 * mebibyte,
  maxRatio: 100,
  /** Smaller entries may have any compression ratio. */
  minRatioBytes: mebibyte,
  maxNameBytes: 200,
} as const;

export const inMebibytes = (bytes: number): string => `${Math.round(bytes / mebibyte)} MB`;

export const brokenZip = (what: string): DomainError =>
  new DomainError(
    'invalid',
    'ZIP_BROKEN',
    `The ZIP file is broken: ${what}. Pack it again and send it again.`,
  );

export const zipTooLarge = (what: string): DomainError =>
  new DomainError('too-large', 'ZIP_TOO_LARGE', `${what}: split it.`);

/** An open file that is read by range. */
export type ZipFile = Readonly<{ handle: FileHandle; size: number }>;

const maxChunkBytes = 64 * 1024;

/** Exactly the bytes [start, start + length). */
export const readRange = async ({ handle }: ZipFile, start: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) {
      throw new DomainError(
        'invalid',
        'ZIP_BROKEN',
        'The ZIP file ends too early: it is cut off or was changed.',
      );
    }
    filled += bytesRead;
  }
  return buffer;
};

/**
 * The bytes from `start` as a stream. A failed read ends the stream early, which its reader reports as an error:
 * unzipper does not listen for errors of its source.
 */
export const rangeStream = (file: ZipFile, start: number, length = file.size - start): Readable => {
  const end = Math.min(start + length, file.size);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += maxChunkBytes) {
      const chunk = await readRange(file, at, Math.min(maxChunkBytes, end - at)).catch(() => undefined);
      if (!chunk) return;
      yield chunk;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
};
