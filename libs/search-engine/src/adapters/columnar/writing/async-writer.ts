import { Worker } from 'node:worker_threads';
import type { Published } from './catalogue-writer.ts';
import { createHostedWriter, type HostedWriter } from './hosted-writer.ts';
import type { Generation, Snapshot } from '../snapshot/snapshot.ts';

/** The writer's calls, answered later: it may be in another thread. */
export type RemoteWriter = Readonly<{
  [Call in keyof HostedWriter]: (
    ...given: Parameters<HostedWriter[Call]>
  ) => Promise<Awaited<ReturnType<HostedWriter[Call]>>>;
}> &
  Readonly<{ end: () => Promise<void> }>;

/** Takes a snapshot over; `release` tells its writer that nobody reads it any longer. */
export type Adopt = (published: Published, release: () => void) => void;

export type ToWriter = Readonly<{ id: number; call: keyof HostedWriter; given: readonly unknown[] }>;

export type FromWriter =
  /** Without the generation when it is that of the snapshot before. */
  | Readonly<{ kind: 'published'; snapshot: Snapshot; generation: Generation | null }>
  | Readonly<{ kind: 'answered'; id: number; value: unknown }>
  | Readonly<{ kind: 'failed'; id: number; error: Error }>;

/** A record, so that the compiler misses a call that is left out. */
const calls: Readonly<Record<keyof HostedWriter, true>> = {
  begin: true,
  add: true,
  finish: true,
  loadStored: true,
  stage: true,
  apply: true,
  drawEdges: true,
  useEdges: true,
  release: true,
};

type Send = (call: keyof HostedWriter, given: readonly unknown[]) => Promise<unknown>;

// Each call has its own arguments, which a list made of names cannot carry.
const remote = (send: Send, end: () => Promise<void>): RemoteWriter =>
  ({
    ...Object.fromEntries(
      (Object.keys(calls) as (keyof HostedWriter)[]).map((call) => [
        call,
        (...given: unknown[]) => send(call, given),
      ]),
    ),
    end,
  }) as unknown as RemoteWriter;

/** One of the writer's functions by its name. */
export const callWriter = (writer: HostedWriter, { call, given }: Omit<ToWriter, 'id'>): unknown =>
  (writer[call] as (...given: readonly unknown[]) => unknown)(...given);

/** The writer in this thread: for small catalogues, and where there is no compiled worker. */
export const inlineWriter = (adopt: Adopt): RemoteWriter => {
  const writer: HostedWriter = createHostedWriter((published) =>
    adopt(published, () => writer.release(published.snapshot.id)),
  );
  return remote(
    async (call, given) => callWriter(writer, { call, given }),
    async () => {},
  );
};

type Waiting = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>;
type Running = Readonly<{ send: Send; end: () => Promise<void> }>;

const startWorker = (file: URL, adopt: Adopt, ended: () => void): Running => {
  const worker = new Worker(file);
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let known: Generation | null = null;

  const send: Send = (call, given) =>
    new Promise((resolve, reject) => {
      const message: ToWriter = { id: ++calls, call, given };
      waiting.set(message.id, { resolve, reject });
      // Only a call keeps the process alive, not the thread.
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage(message);
    });
  const settled = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return call;
  };
  const release = (snapshot: number): void => {
    // A thread that has ended needs no memory back.
    send('release', [snapshot]).catch(() => {});
  };
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    ended();
  };

  worker.unref();
  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'answered') settled(message.id)?.resolve(message.value);
    else if (message.kind === 'failed') settled(message.id)?.reject(message.error);
    else {
      known = message.generation ?? known;
      const { snapshot } = message;
      if (known) adopt({ snapshot, generation: known }, () => release(snapshot.id));
    }
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`The catalogue's thread has ended with code ${code}.`)));
  return {
    send,
    end: async () => {
      await worker.terminate();
    },
  };
};

/** The writer in a thread of its own; after the end of one the next call starts another, without a catalogue. */
export const threadWriter = (file: URL, adopt: Adopt): RemoteWriter => {
  let running: Running | null = null;
  let isOver = false;
  const start = (): Running => {
    const started = startWorker(file, adopt, () => {
      if (running === started) running = null;
    });
    return started;
  };
  return remote(
    async (call, given) => {
      if (isOver) throw new Error('The engine is closed: its catalogue changes no more.');
      running ??= start();
      return running.send(call, given);
    },
    async () => {
      isOver = true;
      await running?.end();
    },
  );
};
