import { parentPort } from 'node:worker_threads';
import { createHostedWriter } from './hosted-writer.ts';
import { callWriter, type FromWriter, type ToWriter } from './async-writer.ts';

// The thread that owns the catalogue: started by `remote-writer.ts`, never imported.
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

const tell = (message: FromWriter): void => port.postMessage(message);

let told = 0;
const writer = createHostedWriter(({ snapshot, generation }) => {
  tell({ kind: 'published', snapshot, generation: generation.id === told ? null : generation });
  told = generation.id;
});

const answer = async ({ id, ...message }: ToWriter): Promise<void> => {
  try {
    tell({ kind: 'answered', id, value: await callWriter(writer, message) });
  } catch (error) {
    tell({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) });
  }
};

port.on('message', (message: ToWriter) => void answer(message));
