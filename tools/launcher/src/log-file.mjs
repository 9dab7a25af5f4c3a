// The log of one process: a file of bounded size, and a few older ones.
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';

const maxBytes = 10 << 20;
const olderFiles = 3;
const newline = 10;
const mode = 0o600;

/** @param {import('node:fs').Stats | undefined} info */
const isReadableByOthers = (info) => info?.isFile() === true && (info.mode & 0o777 & ~mode) !== 0;

/**
 * Appends what a process writes to a file. A file that would become too large is renamed to `FILE.1`, that one to
 * `FILE.2`, and so on. What cannot be written, because the disk is full, is dropped; the next line that can be written
 * is preceded by one that says how many bytes are missing. Only the owner can read the files, also those that are older.
 *
 * @param {string} file
 * @param {{ maxBytes?: number, olderFiles?: number }} [limits]
 */
export const openLogFile = (file, limits = {}) => {
  const { maxBytes: max = maxBytes, olderFiles: older = olderFiles } = limits;
  /** @type {number | undefined} */
  let descriptor;
  let size = 0;
  let dropped = 0;
  let atLineStart = true;
  for (let n = 1; n <= older; n++) {
    const rotated = `${file}.${n}`;
    if (isReadableByOthers(statSync(rotated, { throwIfNoEntry: false }))) chmodSync(rotated, mode);
  }

  const open = () => {
    descriptor = openSync(file, 'a', mode);
    const info = fstatSync(descriptor);
    if (isReadableByOthers(info)) fchmodSync(descriptor, mode);
    size = info.size;
    return descriptor;
  };
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  const rotate = () => {
    close();
    for (let n = older; n > 0; n--) {
      try {
        renameSync(n === 1 ? file : `${file}.${n - 1}`, `${file}.${n}`);
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
      }
    }
  };
  const append = (/** @type {Buffer} */ bytes) => {
    for (let rest = bytes; rest.length > 0;) {
      const written = writeSync(descriptor ?? open(), rest);
      size += written;
      rest = rest.subarray(written);
    }
  };
  const noteDropped = () => {
    if (dropped === 0) return;
    append(Buffer.from(`${atLineStart ? '' : '\n'}… ${dropped} bytes could not be written.\n`));
    dropped = 0;
    atLineStart = true;
  };

  return {
    /** @param {Buffer} bytes */
    write: (bytes) => {
      try {
        if (descriptor === undefined) open();
        if (atLineStart && size > 0 && size + bytes.length > max) rotate();
        noteDropped();
        append(bytes);
        atLineStart = bytes.at(-1) === newline;
      } catch {
        dropped += bytes.length;
        // Opened again with the next line: the file may be another one then.
        close();
      }
    },
    close,
  };
};
