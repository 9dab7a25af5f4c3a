import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PictureFormat } from '../capturer/wire.ts';
import type { PictureStore } from '../pictures/picture-store.ts';

type Opened = Readonly<{ store: PictureStore; close: () => Promise<void> }>;

const pictures = (content: string): Readonly<Record<PictureFormat, Buffer>> => ({
  png: Buffer.from(`png ${content}`),
  webp: Buffer.from(`webp ${content}`),
  avif: Buffer.from(`avif ${content}`),
});

const nameOf = (urlId: string, digit: string): Readonly<{ urlId: string; version: string }> => ({
  urlId,
  version: digit.repeat(32),
});

/** What every store of pictures does. */
export const pictureStoreContract = (kind: string, open: () => Promise<Opened>): void => {
  describe(`a store of pictures: ${kind}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    it('returns what it was given, in each format, however large', async () => {
      const { store } = opened;
      const name = nameOf('AAAAAAA1', 'a');
      const large = Buffer.alloc(3_000_000, 'x');
      await store.save(name, { ...pictures('one'), png: large });
      expect(await store.has(name)).toBe(true);
      expect((await store.read(name, 'png'))?.equals(large)).toBe(true);
      expect(String(await store.read(name, 'webp'))).toBe('webp one');
      expect(String(await store.read(name, 'avif'))).toBe('avif one');
    });

    it('has nothing under other names', async () => {
      const { store } = opened;
      for (const name of [nameOf('AAAAAAA1', 'b'), nameOf('aaaaaaa1', 'a'), nameOf('Unknown1', 'a')]) {
        expect(await store.has(name)).toBe(false);
        expect(await store.read(name, 'png')).toBeUndefined();
      }
    });

    it('takes the same picture twice, also at once', async () => {
      const { store } = opened;
      const name = nameOf('AAAAAAA2', 'c');
      await Promise.all([1, 2, 3].map(() => store.save(name, pictures('same'))));
      await store.save(name, pictures('same'));
      expect(String(await store.read(name, 'png'))).toBe('png same');
    });

    it('removes one version and leaves the others, and removes what is not there', async () => {
      const { store } = opened;
      const [first, second] = [nameOf('AAAAAAA3', 'd'), nameOf('AAAAAAA3', 'e')];
      await store.save(first, pictures('first'));
      await store.save(second, pictures('second'));
      await store.remove(first);
      await store.remove(first);
      expect([await store.has(first), await store.has(second)]).toEqual([false, true]);
      expect(await store.read(first, 'avif')).toBeUndefined();
      expect(String(await store.read(second, 'webp'))).toBe('webp second');
    });

    it.each([
      ['../etc', 'a'.repeat(32)],
      ['AAAAAAA1', '../../../../etc/passwd'],
      ['AAAA/AA1', 'a'.repeat(32)],
      ['AAAAAAA1', 'A'.repeat(32)],
      ['', ''],
    ])('looks for no name such as %s/%s', async (urlId, version) => {
      const { store } = opened;
      const name = { urlId, version };
      await expect((async () => store.read(name, 'png'))()).rejects.toThrow(/not the name/);
      await expect((async () => store.has(name))()).rejects.toThrow(/not the name/);
      await expect((async () => store.save(name, pictures('x')))()).rejects.toThrow(/not the name/);
      await expect((async () => store.remove(name))()).rejects.toThrow(/not the name/);
    });
  });
};
