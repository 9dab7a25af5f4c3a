import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setInterval as every } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';

const stops = 5;
const requestEveryMs = 5;
const readinessEveryMs = 100;

const built = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../dist/${file}`, import.meta.url)));

/** A server whose event loop is blocked for 50 ms again and again; SIGTERM stops it as it stops the API. */
const program = `
  import 'reflect-metadata';
  import { setTimeout } from 'node:timers/promises';
  import { createTestApp } from ${built('testing/http-app.js')};
  import { drain, Health } from ${built('http.js')};
  const app = await createTestApp({ modules: [] });
  await app.listen(0, '127.0.0.1');
  setInterval(() => {
    for (const until = performance.now() + 50; performance.now() < until;);
  }, 60).unref();
  process.once('SIGTERM', async () => {
    app.get(Health).stop();
    await drain(app);
    await app.close();
    process.exit(0);
  });
  process.send(await app.getUrl());`;

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

describe('a server that stops under load', () => {
  let server: ChildProcess | undefined;
  afterEach(() => {
    server?.kill('SIGKILL');
  });

  it('answers every request that was sent before a load balancer could know', async () => {
    const outcomes: Outcome[] = [];
    for (let stop = 0; stop < stops; stop++) {
      server = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const exited = once(server, 'exit');
      const [url] = (await once(server, 'message')) as [string];
      await request(`${url}/health/live`);
      const sent: Promise<Outcome>[] = [];
      const timer = setInterval(() => sent.push(request(`${url}/health/live`)), requestEveryMs);
      server.kill('SIGTERM');
      // As a load balancer asks, at intervals.
      for await (const ready of every(readinessEveryMs, `${url}/health/ready`)) {
        const answer = await request(ready);
        if (!('status' in answer && answer.status === 200)) break;
      }
      clearInterval(timer);
      outcomes.push(...(await Promise.all(sent)));
      expect(await exited).toEqual([0, null]);
    }
    expect(outcomes.length).toBeGreaterThan(stops * 5);
    expect(outcomes.filter((outcome) => !('status' in outcome && outcome.status === 200))).toEqual([]);
  });
});
