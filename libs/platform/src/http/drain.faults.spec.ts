import { spawn, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { get } from 'node:http';
import { setInterval as every, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const stops = 50;
/** In one process, which stops them at the same time. */
const serversAtOnce = 2;
const requestEveryMs = 5;
/** A busy machine must not overload the servers: one that is stopped cannot answer more than it can accept. */
const maxRequestsAtOnce = 20;
/** Of each stop; on a busy machine the load balancer asks for the readiness later, when so many were sent. */
const minRequests = 6;
const readinessEveryMs = 100;
/** A server that stops waits for 5 s: a load balancer that learns of it later, as on a busy machine, may lose requests. */
const maxLearnMs = 4_000;
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
    return app;
  };
  const stop = async (app) => {
    app.get(Health).stop();
    await drain(app);
    await app.close();
  };
  const startAll = async () => {
    const apps = [];
    for (let n = 0; n < ${serversAtOnce}; n++) apps.push(await start());
    process.once('message', async () => {
      await Promise.all(apps.map(stop));
      process.send('stopped');
      await startAll();
    });
    process.send(await Promise.all(apps.map((app) => app.getUrl())));
  };
  await startAll();`;

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

/** Resolves to the first readiness that is not 200, asked for at intervals as by a load balancer, from `hasBegun` on. */
const untilNotReady = async (url: string, hasBegun: () => boolean): Promise<void> => {
  for await (const ready of every(readinessEveryMs, `${url}/health/ready`)) {
    if (!hasBegun()) continue;
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

  /** The outcomes of requests from before the stop until a load balancer could know of it. */
  const requestWhileReady = async (url: string): Promise<readonly Outcome[]> => {
    const sent: Promise<Outcome>[] = [];
    let waiting = 0;
    const send = async (): Promise<Outcome> => {
      waiting++;
      return request(`${url}/health/live`).finally(() => waiting--);
    };
    const until = performance.now() + maxLearnMs;
    const timer = setInterval(() => {
      if (waiting < maxRequestsAtOnce && performance.now() < until) sent.push(send());
    }, requestEveryMs);
    const hasBegun = (): boolean => sent.length >= minRequests || performance.now() >= until;
    const notReady = untilNotReady(url, hasBegun);
    await Promise.race([notReady, delay(maxLearnMs, undefined, { ref: false })]);
    clearInterval(timer);
    return Promise.all(sent);
  };

  const stopAll = async (): Promise<readonly (readonly Outcome[])[]> => {
    const urls = z.array(z.string()).parse(await nextMessage());
    await Promise.all(urls.map((url) => request(`${url}/health/live`)));
    const requesting = Promise.all(urls.map(requestWhileReady));
    servers.send('stop');
    const outcomes = await requesting;
    expect(await nextMessage()).toBe('stopped');
    return outcomes;
  };

  it(
    'answers every request that was sent before a load balancer could know',
    async () => {
      const outcomes: (readonly Outcome[])[] = [];
      while (outcomes.length < stops) outcomes.push(...(await stopAll()));
      expect(outcomes.filter((ofOneStop) => ofOneStop.length < minRequests)).toEqual([]);
      const failed = outcomes.flat().filter((outcome) => !('status' in outcome && outcome.status === 200));
      expect(failed).toEqual([]);
    },
    testTimeoutMs,
  );
});
