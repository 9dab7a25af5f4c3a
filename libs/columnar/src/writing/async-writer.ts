import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Encoding, Snapshot } from '../snapshot/snapshot.ts';
import { createCatalogueWriter, type CatalogueWriter, type Published } from './catalogue-writer.ts';

/** The functions of the writer as asynchronous calls: it can be in another thread. */
export type AsyncWriter = Readonly<{
  [Name in keyof CatalogueWriter]: (
    ...args: Parameters<CatalogueWriter[Name]>
  ) => Promise<Awaited<ReturnType<CatalogueWriter[Name]>>>;
}> &
  Readonly<{ end: () => Promise<void> }>;

/** Takes over a published snapshot; `release` has to be called when it is no longer read. */
export type OnPublished = (published: Published, release: () => void) => void;

export type ToWriter = Readonly<{ id: number; name: keyof CatalogueWriter; args: readonly unknown[] }>;

export type FromWriter =
  /** Without the encoding when it is that of the previous snapshot. */
  | Readonly<{ kind: 'published'; snapshot: Snapshot; encoding: Encoding | null }>
  | Readonly<{ kind: 'answered'; id: number; value: unknown }>
  | Readonly<{ kind: 'failed'; id: number; error: Error }>;

/** A record, so that the compiler reports a missing function. */
const functionNames: Readonly<Record<keyof CatalogueWriter, true>> = {
  begin: true,
  add: true,
  finish: true,
  loadStored: true,
  stage: true,
  apply: true,
  computeEdges: true,
  useEdges: true,
  release: true,
};

type Call = (name: keyof CatalogueWriter, args: readonly unknown[]) => Promise<unknown>;

// The functions have different parameters, which an object built from a list of names cannot express.
const asyncWriter = (call: Call, end: () => Promise<void>): AsyncWriter =>
  ({
    ...Object.fromEntries(
      (Object.keys(functionNames) as (keyof CatalogueWriter)[]).map((name) => [
        name,
        (...args: unknown[]) => call(name, args),
      ]),
    ),
    end,
  }) as unknown as AsyncWriter;

/** Calls a function of the writer by its name. */
export const callWriter = (writer: CatalogueWriter, { name, args }: Omit<ToWriter, 'id'>): unknown =>
  (writer[name] as (...args: readonly unknown[]) => unknown)(...args);

/** A writer in this thread: for small catalogues, and where there is no compiled worker. */
export const sameThreadWriter = (onPublished: OnPublished): AsyncWriter => {
  const writer: CatalogueWriter = createCatalogueWriter((published) =>
    onPublished(published, () => writer.release(published.snapshot.id)),
  );
  return asyncWriter(
    async (name, args) => callWriter(writer, { name, args }),
    async () => {},
  );
};

type PendingCall = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>;
type RunningWorker = Readonly<{ call: Call; end: () => Promise<void> }>;

const startWorker = (file: URL, onPublished: OnPublished, onEnd: () => void): RunningWorker => {
  // The main thread's large young generation is for answers, of which this thread has none: 0 is the default size.
  setFlagsFromString('--max-semi-space-size=0');
  const worker = new Worker(file);
  const pending = new Map<number, PendingCall>();
  let calls = 0;
  let encoding: Encoding | null = null;

  const call: Call = (name, args) =>
    new Promise((resolve, reject) => {
      const message: ToWriter = { id: ++calls, name, args };
      pending.set(message.id, { resolve, reject });
      // A pending call keeps the process alive; an idle thread does not.
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage(message);
    });
  const takePending = (id: number): PendingCall | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) worker.unref();
    return call;
  };
  const release = (snapshot: number): void => {
    // Fails when the thread has ended; its memory is then free anyway.
    call('release', [snapshot]).catch(() => {});
  };
  const fail = (error: Error): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    onEnd();
  };

  worker.unref();
  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'answered') takePending(message.id)?.resolve(message.value);
    else if (message.kind === 'failed') takePending(message.id)?.reject(message.error);
    else {
      encoding = message.encoding ?? encoding;
      const { snapshot } = message;
      if (encoding) onPublished({ snapshot, encoding }, () => release(snapshot.id));
    }
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`The catalogue's thread has ended with code ${code}.`)));
  return {
    call,
    end: async () => {
      await worker.terminate();
    },
  };
};

/** A writer in a worker thread. When the thread ends, the next call starts another one, without a catalogue. */
export const workerThreadWriter = (file: URL, onPublished: OnPublished): AsyncWriter => {
  let running: RunningWorker | null = null;
  let isClosed = false;
  const start = (): RunningWorker => {
    const started = startWorker(file, onPublished, () => {
      if (running === started) running = null;
    });
    return started;
  };
  return asyncWriter(
    async (name, args) => {
      if (isClosed) throw new Error('The engine is closed: its catalogue can no longer change.');
      running ??= start();
      return running.call(name, args);
    },
    async () => {
      isClosed = true;
      await running?.end();
    },
  );
};
