// The process of one member who sends as much as possible, in one of several ways, until it is stopped.
import { Agent, request, type ClientRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@tapedeck/kernel';
import { ways, type HammerOrder, type Send, type Sending } from './hammer-ways.ts';

const counts: Record<string, number> = {};
const tally = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
let stopped = false;

const slowByteMs = 500;

const sendSlowly = (outgoing: ClientRequest, body: string): void => {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < body.length && !outgoing.destroyed) outgoing.write(body[sent++]);
    else clearInterval(timer);
  }, slowByteMs);
};

const headersOf = ({ origin, cookie }: HammerOrder, method: string, body: string | undefined) => ({
  cookie,
  origin,
  ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  ...(method === 'GET' ? {} : { 'idempotency-key': newId() }),
});

/** Resolves when the answer has ended. */
const sender =
  (order: HammerOrder, agent: Agent): Send =>
  (path: string, { method = 'GET', body, slowly = false }: Sending = {}) =>
    new Promise((resolve) => {
      const options = { agent, method, headers: headersOf(order, method, body) };
      const outgoing = request(new URL(path, order.origin), options, (response) => {
        tally(String(response.statusCode));
        response.resume();
        response.once('close', () => resolve());
      });
      outgoing.once('error', () => {
        tally('connection lost');
        resolve();
      });
      if (slowly && body !== undefined) sendSlowly(outgoing, body);
      else outgoing.end(body);
    });

/** So that a refusal at once does not make this process itself take all of the machine. */
const pauseMs = 5;

const run = async (order: HammerOrder): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const send = sender(order, agent);
  const chosen = order.way === 'everything at once' ? Object.values(ways) : [ways[order.way]];
  let at = 0;
  const loops = chosen.flatMap(([atOnce, one]) =>
    Array.from({ length: atOnce }, async () => {
      while (!stopped) {
        await one(send, order, at++);
        await setTimeout(pauseMs);
      }
    }),
  );
  await Promise.race([
    Promise.all(loops),
    new Promise<void>((resolve) => {
      process.once('message', () => {
        stopped = true;
        agent.destroy();
        resolve();
      });
    }),
  ]);
};

process.once('disconnect', () => process.exit(1));
process.once('message', (order: HammerOrder) => {
  void run(order).then(() => process.send?.(counts, () => process.exit(0)));
});
