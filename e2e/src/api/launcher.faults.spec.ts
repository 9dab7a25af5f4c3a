import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';

// Most of these tests start the product.
jest.setTimeout(120_000);

const folders = [temporaryFolder(), temporaryFolder()] as const;
const running = new Set<Product>();
/** Of the first folder. The tests use it one after another. */
let product: Product | undefined;

const start = async (folder: string, port?: number): Promise<Product> => {
  const env = { DEMO_CATALOGUE: '50' };
  const started = await startProduct({ dataFolder: folder, env, ...(port ? { port } : {}) });
  running.add(started);
  return started;
};
const stop = async (started: Product): Promise<number | null> => {
  running.delete(started);
  return started.stop();
};
const runningProduct = async (): Promise<Product> => {
  product ??= await start(folders[0].path);
  return product;
};

afterAll(async () => {
  await Promise.all([...running].map(stop));
  folders.forEach((folder) => folder.remove());
});

describe('npm start', () => {
  it('shows each step with its time, and ends with one line that names the URL', async () => {
    const { output, url } = await runningProduct();
    expect(output()).toMatch(/✓ database \(\d+\.\d s\)/);
    expect(output()).toMatch(/\[█+\] 50 \/ 50/);
    expect(output().trim().split('\n').at(-1)).toBe(
      `Ready in ${/Ready in ([\d.]+) s/.exec(output())?.[1]} s: ${url}`,
    );
    const ready = await fetch(`${url}/health/ready`);
    expect(ready.status).toBe(200);
  });

  it('serves the web client compressed, and ranges of its files uncompressed', async () => {
    const { url } = await runningProduct();
    const page = await (await fetch(url)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    const headers = { 'accept-encoding': 'br, gzip' };
    const first = await fetch(`${url}${script}`, { headers });
    expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(await first.text()).toContain('import');
    const part = await fetch(`${url}${script}`, { headers: { ...headers, range: 'bytes=0-5' } });
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null]);
  });

  it('refuses a second start on the same data folder and a port that is taken', async () => {
    const first = await runningProduct();
    for (let times = 0; times < 2; times++) {
      await expect(start(folders[0].path)).rejects.toThrow(`It is running already, at ${first.url}`);
    }
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(start(folders[1].path, port)).rejects.toThrow(`Port ${port} is taken by another program`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('works again after kill -9 of the launcher', async () => {
    const killed = await runningProduct();
    running.delete(killed);
    product = undefined;
    killed.launcher.kill('SIGKILL');
    product = await start(folders[0].path, Number(new URL(killed.url).port));
    expect(product.url).toBe(killed.url);
    expect((await fetch(`${product.url}/health/ready`)).status).toBe(200);
  });

  it('runs twice at once with different PORT and DATA_DIR', async () => {
    const both = [await runningProduct(), await start(folders[1].path)];
    const answers = await Promise.all(both.map(({ url }) => fetch(`${url}/health/live`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('leaves no process behind after Ctrl-C, also where a launcher was killed before', async () => {
    const last = await runningProduct();
    product = undefined;
    expect(processesWith(folders[0].path).length).toBeGreaterThan(0);
    expect(await stop(last)).toBe(0);
    expect(processesWith(folders[0].path)).toEqual([]);
  });
});
