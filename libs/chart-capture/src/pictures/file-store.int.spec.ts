import { mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { pictureStoreContract } from '../testing/picture-store.contract.ts';
import { createFileStore } from './file-store.ts';

pictureStoreContract('files', async () => {
  const folder = temporaryFolder();
  return { store: createFileStore(join(folder.path, 'pictures')), close: async () => folder.remove() };
});

describe('pictures as files', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => folder.remove());

  const name = { urlId: 'AAAAAAA1', version: 'a'.repeat(32) };
  const pictures = { png: Buffer.from('png'), webp: Buffer.from('webp'), avif: Buffer.from('avif') };

  it('are readable for their owner only, and nothing else is in their folder', async () => {
    await createFileStore(folder.path).save(name, pictures);
    const own = join(folder.path, name.urlId);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(readdirSync(own).toSorted()).toEqual(
      ['avif', 'png', 'webp'].map((format) => `${name.version}.${format}`),
    );
    for (const file of readdirSync(own)) expect(statSync(join(own, file)).mode & 0o777).toBe(0o600);
  });

  it('that were cut off are not there', async () => {
    const store = createFileStore(folder.path);
    truncateSync(join(folder.path, name.urlId, `${name.version}.png`));
    expect(await store.has(name)).toBe(false);
    await store.save(name, pictures);
    expect(await store.has(name)).toBe(true);
  });

  it('that cannot be written leave nothing behind', async () => {
    const other = { ...name, urlId: 'AAAAAAA2' };
    const own = join(folder.path, other.urlId);
    // In place of the file there is a folder that is not empty.
    mkdirSync(join(own, `${other.version}.webp`, 'x'), { recursive: true });
    await expect(createFileStore(folder.path).save(other, pictures)).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST/,
    );
    expect(readdirSync(own).toSorted()).toEqual([`${other.version}.avif`, `${other.version}.webp`]);
    expect(await createFileStore(folder.path).has(other)).toBe(false);
  });
});
