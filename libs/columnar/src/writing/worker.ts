import { parentPort } from 'node:worker_threads';
import { callWriter, type FromWriter, type ToWriter } from './async-writer.ts';
import { createCatalogueWriter } from './catalogue-writer.ts';

// The thread that owns the catalogue: started by `async-writer.ts`, never imported.
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

const send = (message: FromWriter): void => port.postMessage(message);

let sentEncoding = 0;
const writer = createCatalogueWriter(({ snapshot, encoding }) => {
  send({ kind: 'published', snapshot, encoding: encoding.id === sentEncoding ? null : encoding });
  sentEncoding = encoding.id;
});

const answer = async ({ id, ...message }: ToWriter): Promise<void> => {
  try {
    send({ kind: 'answered', id, value: await callWriter(writer, message) });
  } catch (error) {
    send({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) });
  }
};

port.on('message', (message: ToWriter) => void answer(message));
