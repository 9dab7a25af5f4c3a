import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { processesWith } from '@tapedeck/platform/testing';

const program = fileURLToPath(new URL('../../../apps/capture/dist/main.js', import.meta.url));
const secret = 'x'.repeat(32);
const asRoot = process.getuid?.() === 0;

type Running = Readonly<{ child: ChildProcess; url: string; output: () => string }>;

let site: Server;
let origin = '';
const started: Running[] = [];

const chart =
  '<svg data-chart="performance" width="400" height="200"><rect width="400" height="200" fill="red"/></svg>';

beforeAll(async () => {
  site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(chart),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const { child } of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
afterAll(() => {
  site.close();
  site.closeAllConnections();
});

const start = async (env: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const child = fork(program, {
    env: {
      PATH: process.env['PATH'],
      CHROMIUM: process.env['CHROMIUM'],
      CAPTURE_PORT: '0',
      CAPTURE_SECRET: secret,
      CHART_ORIGIN: origin,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [message] = (await once(child, 'message')) as [{ type: string; port: number; message?: string }];
  const running = { child, url: `http://127.0.0.1:${message.port}`, output: () => output };
  started.push(running);
  if (message.type !== 'ready') throw new Error(message.message);
  return running;
};

const post = (url: string, body: unknown, authorization = `Bearer ${secret}`): Promise<Response> =>
  fetch(`${url}/captures`, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
const captured = async ({ url }: Running, urlId = 'AAAAAAA1'): Promise<string> =>
  ((await (await post(url, { urlId })).json()) as { outcome: string }).outcome;

/** The processes of the browser of a capture process. */
const browserOf = ({ child }: Running): readonly number[] =>
  processesWith(`tapedeck-capture-${child.pid}-`)
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== child.pid);
const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'command=', '-ww', '-p', String(pid)], { encoding: 'utf8' }).stdout;

describe('the capture process', () => {
  it('runs Chromium as an ordinary user with its own sandbox, also when root has started it', async () => {
    const running = await start();
    expect(await captured(running)).toBe('captured');
    const pids = browserOf(running);
    expect(pids.length).toBeGreaterThan(2);
    const uids = pids
      .map((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid)
      .filter((uid) => uid !== undefined);
    const isSandboxed = !running.output().includes('without its own sandbox');
    const unsandboxed = pids.filter((pid) => commandOf(pid).includes('--no-sandbox'));
    if (isSandboxed) expect(unsandboxed).toEqual([]);
    if (asRoot && isSandboxed) expect(uids).not.toContain(0);
    // Either way it is said once.
    expect(running.output().match(/without its own sandbox/g)?.length ?? 0).toBe(isSandboxed ? 0 : 1);
  });

  it('that is killed takes its browser with it, and the next one removes what it has left', async () => {
    const running = await start();
    expect(await captured(running)).toBe('captured');
    expect(browserOf(running).length).toBeGreaterThan(2);
    const killed = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await killed;
    await eventually(() => expect(browserOf(running)).toEqual([]));
    expect(await captured(await start())).toBe('captured');
    const folders = spawnSync('find', [
      '/tmp',
      '-maxdepth',
      '1',
      '-name',
      `tapedeck-capture-${running.child.pid}-*`,
    ]);
    expect(folders.stdout.toString()).toBe('');
  });

  it('ends with its launcher, and its browser with it', async () => {
    const running = await start();
    expect(await captured(running)).toBe('captured');
    const ended = once(running.child, 'exit');
    running.child.disconnect();
    expect(await ended).toEqual([0, null]);
    // The processes of a browser end one after the other.
    await eventually(() => expect(browserOf(running)).toEqual([]));
  });

  it('without a browser says how to install one, and that charts are unavailable', async () => {
    const running = await start({ CHROMIUM: '/nowhere/chromium' });
    expect(await captured(running)).toBe('unavailable');
    await eventually(() =>
      expect(running.output()).toMatch(/there is no browser: install the package \\"chromium\\"/),
    );
  });

  it('answers nobody without the secret, and nothing but captures of ids', async () => {
    const { url } = await start();
    for (const wrong of ['', 'Bearer', 'Bearer y', `Bearer ${secret}x`])
      expect((await post(url, { urlId: 'AAAAAAA1' }, wrong)).status).toBe(401);
    expect((await post(url, { url: 'http://169.254.169.254/' })).status).toBe(400);
    expect((await post(url, { urlId: 'x'.repeat(2_000) })).status).toBe(400);
    expect((await fetch(url)).status).toBe(404);
    for (const urlId of ['../../x/', 'http://a', 'AAAAAAA1/../..'])
      expect(await (await post(url, { urlId })).json()).toEqual({
        outcome: 'failed',
        failure: 'not-on-site',
      });
  });

  it.each([
    [{ CAPTURE_SECRET: '' }, 'CAPTURE_SECRET is missing'],
    [{ CHART_ORIGIN: 'http://10.0.0.1' }, 'CHART_ORIGIN must be an origin'],
    [{ CHART_ORIGIN: 'https://169.254.169.254' }, 'CHART_ORIGIN must be an origin'],
    [{ CHART_ORIGIN: 'https://www.tradingview.com:8443' }, 'CHART_ORIGIN must be an origin'],
    [{ CHART_ORIGIN: 'http://www.tradingview.com' }, 'CHART_ORIGIN must be an origin'],
    [
      { CHART_RESOURCE_ORIGINS: 'https://cdn.example,file:///etc' },
      'CHART_RESOURCE_ORIGINS must be an origin',
    ],
  ])('refuses %j with one sentence', async (env, sentence) => {
    await expect(start(env)).rejects.toThrow(sentence);
  });
});
