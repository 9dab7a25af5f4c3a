import { spawn, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { get } from 'node:http';
import { setInterval as every } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const stops = 50;
const requestEveryMs = 5;
const readinessEveryMs = 100;
/** A stop takes a good second, and longer on a busy machine. */
const testTimeoutMs = 300_000;

const built = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../dist/${file}`, import.meta.url)));

/** A process whose event loop is blocked for 50 ms again and again; it starts servers and stops them as the API stops. */
const program = `
  import 'reflect-metadata';
  import { createTestApp } from ${built('testing/http-app.js')};
  import { drain, Health } from ${built('http.js')};
  setInterval(() => {
    for (const until = performance.now() + 50; performance.now() < until;);
  }, 60).unref();
  const start = async () => {
    const app = await createTestApp({ modules: [] });
    await app.listen(0, '127.0.0.1');
    process.once('message', async () => {
      app.get(Health).stop();
      await drain(app);
      await app.close();
      process.send('stopped');
      await start();
    });
    process.send(await app.getUrl());
  };
  await start();`;

type Outcome = Readonly<{ status: number } | { error: string }>;

/** A request on a connection of its own. */
const request = (url: string): Promise<Outcome> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0 }));
      response.once('error', ({ message }) => resolve({ error: message }));
    }).once('error', ({ message }) => resolve({ error: message }));
  });

/** Resolves to the first readiness that is not 200, asked for at intervals as by a load balancer. */
const untilNotReady = async (url: string): Promise<void> => {
  for await (const ready of every(readinessEveryMs, `${url}/health/ready`)) {
    const answer = await request(ready);
    if (!('status' in answer && answer.status === 200)) return;
  }
};

describe('a server that stops under load', () => {
  let servers: ChildProcess;
  let messages: AsyncIterator<readonly unknown[]>;
  const nextMessage = async (): Promise<unknown> => (await messages.next()).value?.[0];
  beforeEach(() => {
    servers = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    messages = on(servers, 'message');
  });
  afterEach(() => {
    servers.kill('SIGKILL');
  });

  const stopOnce = async (): Promise<readonly Outcome[]> => {
    const url = String(await nextMessage());
    await request(`${url}/health/live`);
    const sent: Promise<Outcome>[] = [];
    const timer = setInterval(() => sent.push(request(`${url}/health/live`)), requestEveryMs);
    servers.send('stop');
    await untilNotReady(url);
    clearInterval(timer);
    const outcomes = await Promise.all(sent);
    expect(await nextMessage()).toBe('stopped');
    return outcomes;
  };

  it(
    'answers every request that was sent before a load balancer could know',
    async () => {
      const outcomes: Outcome[] = [];
      for (let stop = 0; stop < stops; stop++) outcomes.push(...(await stopOnce()));
      expect(outcomes.length).toBeGreaterThan(stops * 5);
      expect(outcomes.filter((outcome) => !('status' in outcome && outcome.status === 200))).toEqual([]);
    },
    testTimeoutMs,
  );
});
