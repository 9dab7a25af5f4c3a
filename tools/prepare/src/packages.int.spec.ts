import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { missingPackages } from './packages.mjs';

const packages = {
  '': { devDependencies: { jest: '^1.0.0' } },
  'apps/api': { dependencies: { '@own/kernel': '*', fastify: '^5.0.0' } },
  'libs/kernel': { dependencies: { uuid: '^9.0.0' } },
  'node_modules/@own/kernel': { resolved: 'libs/kernel', link: true },
  'node_modules/fastify': { version: '5.0.0', dependencies: { uuid: '^8.0.0' } },
  'node_modules/jest': { version: '1.0.0' },
  'node_modules/native-windows': { version: '1.0.0', optional: true },
  'node_modules/uuid': { version: '8.0.0' },
  'libs/kernel/node_modules/uuid': { version: '9.0.0' },
};

describe('the packages that are missing', () => {
  let folder = '';
  const inFolder = (path: string): string => join(folder, path);
  const writePackages = (file: string, content: object): void =>
    writeFileSync(inFolder(file), JSON.stringify({ packages: content }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapedeck-packages-'));
    const installed = Object.entries(packages).filter(
      ([path]) => path.includes('node_modules/') && !path.endsWith('windows'),
    );
    for (const [path] of installed) mkdirSync(inFolder(path), { recursive: true });
    writePackages('package-lock.json', packages);
    writePackages('node_modules/.package-lock.json', Object.fromEntries(installed));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are none after an installation, although those of other systems are left out', async () => {
    expect(await missingPackages(folder)).toEqual([]);
    expect(await missingPackages(folder, ['apps/api'])).toEqual([]);
  });

  it('are all in a fresh clone', async () => {
    rmSync(inFolder('node_modules'), { recursive: true });
    rmSync(inFolder('libs/kernel/node_modules'), { recursive: true });
    expect((await missingPackages(folder, ['apps/api'])).sort()).toEqual([
      'libs/kernel/node_modules/uuid',
      'node_modules/@own/kernel',
      'node_modules/fastify',
      'node_modules/uuid',
    ]);
  });

  it.each(['node_modules/fastify', 'node_modules/@own/kernel', 'libs/kernel/node_modules/uuid'])(
    'include %s when its folder was deleted',
    async (path) => {
      rmSync(inFolder(path), { recursive: true });
      expect(await missingPackages(folder)).toEqual([path]);
      expect(await missingPackages(folder, ['apps/api'])).toEqual([path]);
    },
  );

  it('include one whose parent folder was deleted', async () => {
    rmSync(dirname(inFolder('libs/kernel/node_modules/uuid')), { recursive: true });
    expect(await missingPackages(folder, ['apps/api'])).toEqual(['libs/kernel/node_modules/uuid']);
  });

  it('include one that is installed in another version', async () => {
    writePackages('package-lock.json', { ...packages, 'node_modules/fastify': { version: '5.0.1' } });
    expect(await missingPackages(folder)).toEqual(['node_modules/fastify']);
  });

  it('do not include what only other workspaces need', async () => {
    rmSync(inFolder('node_modules/jest'), { recursive: true });
    expect(await missingPackages(folder, ['apps/api'])).toEqual([]);
    expect(await missingPackages(folder)).toEqual(['node_modules/jest']);
  });
});
