import { DomainError } from '@tapedeck/kernel';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** An open file that is read by range. */
export type ZipBytes = Readonly<{ file: FileHandle; size: number }>;

const chunkBytes = 64 * 1024;

/** Exactly the bytes [start, start + length). */
export const readRange = async ({ file }: ZipBytes, start: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
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
 * The bytes from `start` as a stream. A failing read ends it early, which its reader reports as such:
 * the library behind it does not listen for errors of its source.
 */
export const rangeStream = (bytes: ZipBytes, start: number, length = bytes.size - start): Readable => {
  const end = Math.min(start + length, bytes.size);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += chunkBytes) {
      const chunk = await readRange(bytes, at, Math.min(chunkBytes, end - at)).catch(() => undefined);
      if (!chunk) return;
      yield chunk;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
};
