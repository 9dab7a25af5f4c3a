import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { demoRecords } from '@tapedeck/strategies/demo';

const disk = temporaryFolder();

/** Mounts a small file system; false where this process may not do that. */
const mountDisk = (): boolean => {
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', disk.path];
    execFileSync('mount', options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const isMounted = mountDisk();

describe('npm start, on a disk that becomes full', () => {
  let product: Product | undefined;
  afterAll(async () => {
    await product?.stop();
    if (isMounted) execFileSync('umount', [disk.path]);
    disk.remove();
  });

  // Elsewhere no disk can be filled without harm to other programs.
  (isMounted ? it : it.skip)(
    'answers reads, refuses writes in a sentence, and recovers by itself',
    async () => {
      product = await startProduct({ dataFolder: disk.path, env: { DEMO_CATALOGUE: '50' } });
      const { url } = product;
      const browser = createBrowser();
      await browser.visit(`${url}/api/login?login_hint=pro@tapedeck.example&returnTo=/`);
      const cookie = browser.cookieHeader(url);
      const statusOf = async (path: string): Promise<number> =>
        (await fetch(`${url}${path}`, { headers: { cookie }, signal: AbortSignal.timeout(3_000) })).status;
      const send = async (method: string, path: string, body: object): Promise<readonly [number, string]> => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { cookie, origin: url, 'content-type': 'application/json', 'idempotency-key': newId() },
          body: JSON.stringify(body),
        });
        return [response.status, await response.text()];
      };
      const [record] = [...demoRecords({ count: 1 })];
      const urlId = record?.url_id ?? '';
      const changeTags = (n: number): Promise<readonly [number, string]> =>
        send('PUT', favouriteRoutes.tags(urlId), { tags: [`tag ${n}`] });
      expect((await send('POST', favouriteRoutes.list, { urlId, tags: [] }))[0]).toBe(201);

      const filler = join(disk.path, 'filler');
      const fill = (): void => {
        const { bavail, bsize } = statfsSync(disk.path);
        try {
          writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
        } catch (error) {
          // The product has taken some of the space meanwhile.
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      };
      // The tape has some space in its files.
      let refused: readonly [number, string] = [200, ''];
      for (let n = 0; refused[0] < 400 && n < 2_000; n++) {
        fill();
        refused = await changeTags(n);
      }
      expect(refused[0]).toBe(503);
      expect(JSON.parse(refused[1])).toMatchObject({ status: 503, detail: expect.stringContaining('again') });
      for (let times = 0; times < 200; times++) {
        expect(await statusOf(explorerRoutes.explore)).toBe(200);
        expect(await statusOf(favouriteRoutes.list)).toBe(200);
      }
      expect(readFileSync(join(disk.path, 'logs', 'api.log'), 'utf8').length).toBeGreaterThan(0);

      rmSync(filler);
      await eventually(async () => expect((await changeTags(-1))[0]).toBe(200), 30_000);
      expect(await statusOf('/health/ready')).toBe(200);
    },
  );
});
