import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';

// Most of these tests start the product several times.
jest.setTimeout(120_000);

const folder = temporaryFolder();
const running = new Set<Product>();
const bystanders = new Set<ChildProcess>();
const patienceMs = 30_000;

const start = async (args: readonly string[] = []): Promise<Product> => {
  const product = await startProduct({ dataFolder: folder.path, args, env: { DEMO_CATALOGUE: '50' } });
  running.add(product);
  return product;
};
const stop = async (product: Product): Promise<number | null> => {
  running.delete(product);
  return product.stop();
};
const file = (...names: readonly string[]): string => join(folder.path, ...names);
const statusOf = async ({ url }: Product, path = '/health/ready'): Promise<number> =>
  (await fetch(`${url}${path}`).catch(() => ({ status: 0 }))).status;

/** The id of a process of the instance, by a part of its command line. */
const pidOf = (part: string): number => {
  const line = processesWith(folder.path).find((one) => one.includes(part));
  if (!line) throw new Error(`No process of the instance has ${part} in its command line.`);
  return Number.parseInt(line, 10);
};
const postmaster = (): number =>
  Number(readFileSync(file('postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** A process that has nothing to do with the product. */
const startBystander = (): ChildProcess => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  bystanders.add(child);
  return child;
};

/** An initdb that goes on after its launcher: it writes to its folder until somebody removes that. */
const startWriter = (path: string): void => {
  const program = `
    const { writeFileSync } = require('node:fs');
    for (let n = 0; n < 100_000; n++) writeFileSync(${JSON.stringify(path)} + '/' + n, '');`;
  bystanders.add(spawn(process.execPath, ['-e', program], { stdio: 'ignore' }));
};

afterEach(async () => {
  await Promise.all([...running].map(stop));
  for (const child of bystanders) child.kill('SIGKILL');
  bystanders.clear();
});
afterAll(() => folder.remove());

describe('npm start', () => {
  it('starts a process of the product and the database again when they are killed', async () => {
    const product = await start();
    for (const [killed, name] of [
      [() => pidOf('apps/api/dist/main.js'), 'api'],
      [() => pidOf('apps/projector/dist/main.js'), 'projector'],
      [postmaster, 'database'],
    ] as const) {
      process.kill(killed(), 'SIGKILL');
      await eventually(() => expect(product.output()).toContain(`${name} runs again`), patienceMs);
      await eventually(async () => expect(await statusOf(product)).toBe(200), patienceMs);
    }
    expect(product.output()).toMatch(/api ended \(it ended by SIGKILL and said nothing\): starting it again/);
    expect(await stop(product)).toBe(0);
    expect(processesWith(folder.path)).toEqual([]);
  });

  it('ends no process that only has the id of one of its own', async () => {
    await stop(await start());
    const [first, second] = [startBystander(), startBystander()];
    const state = JSON.parse(readFileSync(file('instance.json'), 'utf8')) as object;
    const processes = [{ pid: first.pid, started: 'another time' }];
    writeFileSync(file('instance.json'), JSON.stringify({ ...state, processes }));
    writeFileSync(file('launcher.lock'), JSON.stringify({ pid: first.pid, started: 'another time' }));
    const pidFile = file('postgres', 'data', 'postmaster.pid');
    writeFileSync(pidFile, `${second.pid}\n${file('postgres', 'data')}\n`);
    expect(await stop(await start())).toBe(0);
    writeFileSync(pidFile, `${second.pid}\n${file('postgres', 'data')}\n`);
    expect(await stop(await start(['--fresh']))).toBe(0);
    expect([first.exitCode, first.signalCode, second.exitCode, second.signalCode]).toEqual(
      Array.from({ length: 4 }, () => null),
    );
  });

  it('starts with an instance.json that was cut off', async () => {
    await stop(await start());
    truncateSync(file('instance.json'), 10);
    expect(await statusOf(await start())).toBe(200);
  });

  it('runs once when it is started twice at the same moment', async () => {
    const results = await Promise.allSettled([start(), start()]);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain('It is running already');
    expect(await statusOf([...running][0] ?? (await start()))).toBe(200);
  });

  it.each([
    [{ PUBLIC_ORIGIN: 'tapedeck.example' }, /PUBLIC_ORIGIN is "tapedeck\.example": it must be an address/],
    [{ HOST: '203.0.113.1' }, /HOST is "203\.0\.113\.1", which is not an address of this machine/],
    [{ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, /Set both DATABASE_URL and CATALOGUE_DATABASE_URL/],
  ])('refuses %p with one sentence, and leaves no process behind', async (env, sentence) => {
    await expect(startProduct({ dataFolder: folder.path, env })).rejects.toThrow(sentence);
    expect(processesWith(folder.path)).toEqual([]);
  });

  it('starts after an initdb that did not end, and afresh whatever is in the folder', async () => {
    await stop(await start());
    mkdirSync(file('postgres', 'data.123'));
    writeFileSync(file('postgres', 'data.123', 'PG_VERSION'), '18\n');
    rmSync(file('postgres', 'data'), { recursive: true });
    expect(await stop(await start(['--no-demo']))).toBe(0);
    expect(existsSync(file('postgres', 'data.123'))).toBe(false);
    rmSync(file('postgres', 'data', 'global'), { recursive: true });
    truncateSync(file('secrets.json'), 10);
    expect(await stop(await start(['--fresh']))).toBe(0);
  });

  it('starts beside an initdb that goes on after its launcher', async () => {
    rmSync(file('postgres'), { recursive: true, force: true });
    mkdirSync(file('postgres', 'data.123'), { recursive: true });
    startWriter(file('postgres', 'data.123'));
    await eventually(() => expect(existsSync(file('postgres', 'data.123', '1000'))).toBe(true));
    expect(await stop(await start(['--no-demo']))).toBe(0);
    expect(existsSync(file('postgres', 'data.123'))).toBe(false);
  });

  it('refuses to start on its database without the key of that, and starts with the key again', async () => {
    await stop(await start());
    const secrets = readFileSync(file('secrets.json'), 'utf8');
    rmSync(file('secrets.json'));
    await expect(start()).rejects.toThrow(/secrets of this instance are missing .* put the file back/);
    writeFileSync(file('secrets.json'), secrets.slice(0, 40));
    await expect(start()).rejects.toThrow(/are incomplete: put the file back from its backup/);
    const other = {
      ...(JSON.parse(secrets) as object),
      PERSONAL_DATA_KEY: Buffer.alloc(32, 5).toString('base64'),
    };
    writeFileSync(file('secrets.json'), JSON.stringify(other));
    await expect(start()).rejects.toThrow(/PERSONAL_DATA_KEY is not the key that encrypted/);
    expect(processesWith(folder.path)).toEqual([]);
    writeFileSync(file('secrets.json'), secrets);
    expect(await statusOf(await start())).toBe(200);
  });

  it('keeps the database for an import that goes on after it', async () => {
    const product = await start();
    const inFolder = { ...process.env, DATA_DIR: folder.path };
    // As a program that uses the database: it ends by itself when it may.
    const user = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openInstanceDatabases } from ${JSON.stringify(new URL('../../../../scripts/instance-database.mjs', import.meta.url).href)};
         const databases = await openInstanceDatabases({ dataFolder: ${JSON.stringify(folder.path)}, log: () => {} });
         process.stdin.once('data', async () => {
           process.stdout.write(String(await databases.close()));
           process.exit();
         });
         process.stdout.write('opened ');`,
      ],
      { env: inFolder, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    let output = '';
    user.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => expect(output).toBe('opened '), patienceMs);
    expect(await stop(product)).toBe(0);
    expect(product.output()).toContain('another program still uses the database');
    const pid = postmaster();
    process.kill(pid, 0);
    user.stdin.write('end\n');
    await eventually(() => expect(output).toBe('opened true'), patienceMs);
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patienceMs);
  });
});
