import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { strategyRoutes, UploadAccepted } from '@tapedeck/strategies/contract';
import { demoRecords } from '@tapedeck/strategies/demo';
import { writeZip } from '@tapedeck/strategies/testing';
import pg from 'pg';

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

// Elsewhere no disk can be filled without harm to other programs.
const onDisk = isMounted ? it : it.skip;

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

const signedIn = async (url: string, email: string): Promise<string> => {
  const browser = createBrowser();
  await browser.visit(`${url}/api/login?login_hint=${email}&returnTo=/`);
  return browser.cookieHeader(url);
};

/** Does not become smaller when it is packed. */
const uploadBytes = 3_000_000;
const archive = (): Buffer =>
  writeZip([
    { name: 'noise.bin', data: randomBytes(uploadBytes), method: 0 },
    { name: 'a.json', data: JSON.stringify({ url_id: 'Disk0001', title: 'After the full disk' }) },
  ]);

describe('npm start, on a disk that becomes full', () => {
  let product: Product;
  beforeAll(async () => {
    const env = { DEMO_CATALOGUE: '50', DEMO_ACCOUNTS: 'yes' };
    if (isMounted) product = await startProduct({ dataFolder: disk.path, env });
  }, 120_000);
  afterAll(async () => {
    if (isMounted) {
      await product.stop();
      execFileSync('umount', [disk.path]);
    }
    disk.remove();
  }, 120_000);

  onDisk(
    'answers reads, refuses writes in a sentence, and recovers by itself',
    async () => {
      const { url } = product;
      const cookie = await signedIn(url, 'pro@tapedeck.example');
      // A request that hangs fails the test.
      const statusOf = async (path: string): Promise<number> =>
        (await fetch(`${url}${path}`, { headers: { cookie }, signal: AbortSignal.timeout(15_000) })).status;
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
    240_000,
  );

  onDisk(
    'refuses an upload in a sentence, keeps nothing of it, and imports it when there is space',
    async () => {
      const { url } = product;
      const cookie = await signedIn(url, 'admin@tapedeck.example');
      const zip = archive();
      const upload = (): Promise<Response> => {
        const body = new FormData();
        body.set('zipFile', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'a.zip');
        const headers = { cookie, origin: url };
        return fetch(`${url}${strategyRoutes.upload}`, { method: 'POST', headers, body });
      };
      const kept = async (): Promise<number> => {
        const client = new pg.Client(product.databaseUrl('tapedeck'));
        await client.connect();
        const { rowCount } = await client.query('select from strategy_uploads');
        await client.end();
        return rowCount ?? 0;
      };
      fill();
      const refused = await upload();
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('again') });

      rmSync(filler);
      await eventually(async () => expect(await kept()).toBe(0), 30_000);
      let jobId = '';
      await eventually(async () => {
        const accepted = await upload();
        expect(accepted.status).toBe(202);
        ({ jobId } = UploadAccepted.parse(await accepted.json()));
      }, 30_000);
      await eventually(async () => {
        const answer = await fetch(`${url}${strategyRoutes.importStatus(jobId)}`, { headers: { cookie } });
        expect(await answer.json()).toMatchObject({ phase: 'complete', imported: { added: 1 } });
      }, 30_000);
      expect(await kept()).toBe(0);
    },
    240_000,
  );
});
