import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { say } from '../print.ts';

/** The webhooks of `file`, one JSON text a line, from the line `from` up to but without the line `to`. */
export type Webhooks = Readonly<{
  url: string;
  file: string;
  from: number;
  to: number;
  connections: number;
  secret: string;
}>;

export type Sent = Readonly<{
  latenciesMs: readonly number[];
  elapsedMs: number;
  /** Of the process that sends. */
  cpuMs: number;
  /** By status, or by the message of an error. */
  answers: Readonly<Record<string, number>>;
}>;

/** Sends webhooks from a process of its own: each connection sends the next one when the last was answered. */
export const sendWebhooks = async (webhooks: Webhooks): Promise<Sent> => {
  const sent = await new Promise<Sent>((resolve, reject) => {
    const sender = fork(fileURLToPath(new URL('./sender.js', import.meta.url)), { execArgv: [] });
    let result: Sent | undefined;
    sender.once('message', (message) => {
      result = message as Sent;
    });
    sender.once('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The process that sends the webhooks ended with status ${code}.`));
    });
    sender.send(webhooks);
  });
  const refused = Object.entries(sent.answers).filter(([status]) => status !== '200');
  if (refused.length > 0) {
    for (const [answer, times] of refused) say(`${times} × ${answer}`);
    throw new Error('Webhooks were refused: the results are invalid.');
  }
  return sent;
};
