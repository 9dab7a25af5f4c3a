import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deserialize } from 'node:v8';
import { DomainError } from '@tapedeck/kernel';
import type { ArchiveItems } from '../import/archive-items.ts';
import type { ImportItem } from '../parsing/parse-file.ts';
import type { UnpackAnswer } from './unpack-answer.ts';

export type UnpackLimits = Readonly<{
  maxHeapMb: number;
  /** For all its work; the time between requests does not count. */
  maxMs: number;
}>;

export const unpackLimits: UnpackLimits = { maxHeapMb: 256, maxMs: 60_000 };

/** The built program: Node cannot start the source. */
const program = fileURLToPath(new URL('../../dist/upload/unpack-process.js', import.meta.url));

const tooSlow = (): DomainError =>
  new DomainError(
    'too-large',
    'ZIP_TOO_SLOW',
    'Unpacking the ZIP file took longer than a minute: split it into smaller ones.',
  );

const outOfMemory = (): DomainError =>
  new DomainError(
    'too-large',
    'ZIP_TOO_MUCH_MEMORY',
    'Unpacking the ZIP file needs more memory than it may have: split its files into smaller ones.',
  );

const interrupted = (): DomainError =>
  new DomainError(
    'unavailable',
    'UNPACKING_INTERRUPTED',
    'Unpacking the ZIP file was interrupted: it will be repeated.',
  );

/** Node aborts when its memory is used up. */
const isOutOfMemory = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  code === 134 || signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL';

const start = (path: string, { maxHeapMb }: UnpackLimits): ChildProcess => {
  const child = fork(program, [path], {
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    // Without the secrets of this process.
    env: {},
    serialization: 'advanced',
    stdio: 'ignore',
  });
  // Reported by `exit`, or by the request that is not answered.
  child.on('error', () => undefined);
  return child;
};

/** Asks for the next batch. */
const ask = (child: ChildProcess, msLeft: number, signal: AbortSignal): Promise<UnpackAnswer> =>
  new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onMessage = (answer: unknown): void => end(() => resolve(answer as UnpackAnswer));
    const onExit = (code: number | null, by: NodeJS.Signals | null): void =>
      end(() => reject(isOutOfMemory(code, by) ? outOfMemory() : interrupted()));
    const onAbort = (): void => end(() => reject(interrupted()));
    const timer = setTimeout(() => end(() => reject(tooSlow())), Math.max(0, msLeft));
    child.on('message', onMessage).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    else child.send('next', () => undefined);
  });

/**
 * The items of an archive, unpacked and parsed by a process of its own: whatever an archive makes it do ends that process
 * alone, and then the import with an error that says so.
 */
export const unpackInChild = (
  path: string,
  signal: AbortSignal,
  limits: UnpackLimits = unpackLimits,
): ArchiveItems => {
  let total: number | null = null;
  const items = async function* (): AsyncGenerator<ImportItem> {
    const child = start(path, limits);
    let msLeft = limits.maxMs;
    try {
      for (;;) {
        const askedAt = performance.now();
        const answer = await ask(child, msLeft, signal);
        msLeft -= performance.now() - askedAt;
        if ('error' in answer) {
          const { kind, code, message } = answer.error;
          throw new DomainError(kind, code, message);
        }
        total = answer.total;
        for (const item of answer.items) yield deserialize(item) as ImportItem;
        if (answer.isLast) return;
      }
    } finally {
      child.kill('SIGKILL');
    }
  };
  return { items, total: () => total };
};
