import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  freePort,
  processesWith,
  startProduct,
  temporaryFolder,
  type Product,
} from '@tapedeck/platform/testing';

const smallCatalogue = { DEMO_CATALOGUE: '50' };
const [emptyFolder, ...folders] = [temporaryFolder(), temporaryFolder(), temporaryFolder()] as const;
const running = new Set<Product>();

const start = async (folder: string, port?: number): Promise<Product> => {
  const product = await startProduct({ dataFolder: folder, env: smallCatalogue, ...(port ? { port } : {}) });
  running.add(product);
  return product;
};
const stop = async (product: Product): Promise<number | null> => {
  running.delete(product);
  return product.stop();
};

afterEach(async () => {
  await Promise.all([...running].map(stop));
});
afterAll(() => [emptyFolder, ...folders].forEach((folder) => folder.remove()));

describe('npm start', () => {
  it('shows each step with its time, and ends with one line that names the URL', async () => {
    const product = await start(emptyFolder.path);
    expect(product.output()).toMatch(/✓ database \(\d+\.\d s\)/);
    expect(product.output()).toMatch(/\[█+\] 50 \/ 50/);
    expect(product.output().trim().split('\n').at(-1)).toBe(
      `Ready in ${/Ready in ([\d.]+) s/.exec(product.output())?.[1]} s: ${product.url}`,
    );
    const ready = await fetch(`${product.url}/health/ready`);
    expect(ready.status).toBe(200);
  });

  it('serves the web client compressed, and ranges of its files uncompressed', async () => {
    const { url } = await start(folders[0].path);
    const page = await (await fetch(url)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    const headers = { 'accept-encoding': 'br, gzip' };
    const first = await fetch(`${url}${script}`, { headers });
    expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(await first.text()).toContain('import');
    const part = await fetch(`${url}${script}`, { headers: { ...headers, range: 'bytes=0-5' } });
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null]);
  });

  it('leaves no process behind after Ctrl-C', async () => {
    const product = await start(folders[0].path);
    expect(processesWith(folders[0].path).length).toBeGreaterThan(0);
    expect(await stop(product)).toBe(0);
    expect(processesWith(folders[0].path)).toEqual([]);
  });

  it('works again after kill -9 of the launcher', async () => {
    const killed = await start(folders[0].path);
    running.delete(killed);
    killed.launcher.kill('SIGKILL');
    const port = Number(new URL(killed.url).port);
    const again = await start(folders[0].path, port);
    expect(again.url).toBe(killed.url);
    expect(await stop(again)).toBe(0);
    expect(processesWith(folders[0].path)).toEqual([]);
  });

  it('runs twice at once with different PORT and DATA_DIR', async () => {
    const both = await Promise.all(folders.map(async (folder) => start(folder.path, await freePort())));
    const answers = await Promise.all(both.map(({ url }) => fetch(`${url}/health/live`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('refuses a second start on the same data folder and a port that is taken', async () => {
    const first = await start(folders[0].path);
    for (let times = 0; times < 2; times++) {
      await expect(start(folders[0].path)).rejects.toThrow(`It is running already, at ${first.url}`);
    }
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(start(folders[1].path, port)).rejects.toThrow(`Port ${port} is taken by another program`);
    await new Promise((resolve) => other.close(resolve));
  });
});
