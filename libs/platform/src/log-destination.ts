import { write, writeSync } from 'node:fs';
import { Counter } from 'prom-client';

/** Lines are collected for so long, unless there are more bytes. */
const collectMs = 100;
const collectBytes = 4_096;
const retryMs = 100;
/** What waits while nothing can be written; newer lines are dropped. */
const maxWaitingBytes = 1 << 20;

const droppedLines = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Lines of the log that were dropped because the disk was full or they were not read.',
});

export type LogDestination = Readonly<{
  write: (line: string) => void;
  /** Writes what waits, as far as that succeeds at once. For the end of the process. */
  flushSync: () => void;
}>;

/**
 * Writes lines to a file descriptor asynchronously, so that a slow reader does not delay requests. When it accepts nothing
 * (the disk is full, the reader is gone) lines wait, then are dropped; `onDropped` gets their number when there is room again. pino's own
 * destination repeats its last write for ever on a full disk, so that the process cannot end.
 */
export const createLogDestination = (fd: number, onDropped: (lines: number) => void): LogDestination => {
  let lines: string[] = [];
  let waitingBytes = 0;
  let chunk: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const takeChunk = (): void => {
    if (chunk.length > 0) return;
    chunk = Buffer.from(lines.join(''));
    lines = [];
  };
  const written = (bytes: number): void => {
    chunk = chunk.subarray(bytes);
    waitingBytes -= bytes;
    if (dropped === 0 || waitingBytes > maxWaitingBytes / 2) return;
    const before = dropped;
    dropped = 0;
    onDropped(before);
  };
  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeNext();
    }, delayMs);
    timer.unref();
  };
  const writeNext = (): void => {
    if (isWriting || waitingBytes === 0) return;
    takeChunk();
    isWriting = true;
    write(fd, chunk, (error, bytes) => {
      isWriting = false;
      if (error) return schedule(retryMs);
      written(bytes);
      if (waitingBytes >= collectBytes || chunk.length > 0) writeNext();
      else if (waitingBytes > 0) schedule(collectMs);
    });
  };

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > maxWaitingBytes) {
        dropped++;
        droppedLines.inc();
        return;
      }
      lines.push(line);
      waitingBytes += bytes;
      // After an error the next attempt is scheduled.
      if (waitingBytes >= collectBytes && timer === undefined) writeNext();
      else schedule(collectMs);
    },
    flushSync: () => {
      // A write that has not ended still writes its chunk.
      let rest = Buffer.concat([isWriting ? Buffer.alloc(0) : chunk, Buffer.from(lines.join(''))]);
      lines = [];
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch {
        // The process ends, with or without its last lines.
      }
    },
  };
};
