import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';

// Most of these tests start the product several times.
jest.setTimeout(120_000);

const folder = temporaryFolder();
/** The tests use one instance: one that needs it running takes it from the test before. */
let current: Product | undefined;
const bystanders = new Set<ChildProcess>();
const patienceMs = 30_000;

const start = async (args: readonly string[] = []): Promise<Product> => {
  const product = await startProduct({ dataFolder: folder.path, args, env: { DEMO_CATALOGUE: '50' } });
  current = product;
  return product;
};
const stop = async (product: Product): Promise<number | null> => {
  current = undefined;
  return product.stop();
};
const running = async (): Promise<Product> => current ?? start();
const stopped = async (): Promise<void> => {
  if (current) await stop(current);
  else if (!existsSync(file('secrets.json'))) await stop(await start());
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

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Leaves the file of a server that died, whose id is now that of another process. */
const pretendDatabaseIs = ({ pid }: ChildProcess): void =>
  writeFileSync(file('postgres', 'data', 'postmaster.pid'), `${pid}\n${file('postgres', 'data')}\n`);

/** An initdb that goes on after its launcher: it writes to its folder until somebody removes that. */
const startWriter = (path: string): void => {
  const program = `
    const { writeFileSync } = require('node:fs');
    for (let n = 0; n < 100_000; n++) writeFileSync(${JSON.stringify(path)} + '/' + n, '');`;
  bystanders.add(spawn(process.execPath, ['-e', program], { stdio: 'ignore' }));
};

afterEach(() => {
  for (const child of bystanders) child.kill('SIGKILL');
  bystanders.clear();
});
afterAll(async () => {
  await current?.stop();
  folder.remove();
});

describe('npm start', () => {
  it('starts after an initdb that did not end, and beside one that goes on after its launcher', async () => {
    for (const name of ['data.123', 'data.456']) mkdirSync(file('postgres', name), { recursive: true });
    writeFileSync(file('postgres', 'data.123', 'PG_VERSION'), '18\n');
    startWriter(file('postgres', 'data.456'));
    await eventually(() => expect(existsSync(file('postgres', 'data.456', '1000'))).toBe(true));
    expect(await statusOf(await start())).toBe(200);
    expect([existsSync(file('postgres', 'data.123')), existsSync(file('postgres', 'data.456'))]).toEqual([
      false,
      false,
    ]);
  });

  it('refuses to start on its database without the key of that, and starts with the key again', async () => {
    await stopped();
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

  it('starts a process of the product and the database again when they are killed', async () => {
    const product = await running();
    for (const [killed, name] of [
      [() => pidOf('dist/api.js'), 'api'],
      [() => pidOf('dist/projector.js'), 'projector'],
      [postmaster, 'database'],
    ] as const) {
      process.kill(killed(), 'SIGKILL');
      await eventually(() => expect(product.output()).toContain(`${name} runs again`), patienceMs);
      await eventually(async () => expect(await statusOf(product)).toBe(200), patienceMs);
    }
    expect(product.output()).toMatch(/api ended \(it ended by SIGKILL and said nothing\): starting it again/);
  });

  it('stops with all its processes when the program that has started it is killed', async () => {
    const { launcher } = await running();
    current = undefined;
    launcher.stdout?.destroy();
    launcher.stderr?.destroy();
    // The system closes these of a process that ends.
    launcher.disconnect();
    await eventually(() => expect(processesWith(folder.path)).toEqual([]), patienceMs);
  });

  it('keeps the database for an import that goes on after it', async () => {
    const product = await running();
    const inFolder = { ...process.env, DATA_DIR: folder.path };
    // As a program that uses the database: it ends by itself when it may.
    const user = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openInstanceDatabases } from '@tapedeck/launcher/instance-database';
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

  it('ends no process that only has the id of one of its own', async () => {
    await stopped();
    const [first, second] = [startBystander(), startBystander()];
    const state = JSON.parse(readFileSync(file('instance.json'), 'utf8')) as object;
    const processes = [{ pid: first.pid, started: 'another time' }];
    writeFileSync(file('instance.json'), JSON.stringify({ ...state, processes }));
    writeFileSync(file('launcher.lock'), JSON.stringify({ pid: first.pid, started: 'another time' }));
    pretendDatabaseIs(second);
    expect(await stop(await start())).toBe(0);
    expect(processesWith(folder.path)).toEqual([]);
    expect([first, second].map(hasEnded)).toEqual([false, false]);
  });

  it.each([
    [{ PUBLIC_ORIGIN: 'tapedeck.example' }, /PUBLIC_ORIGIN is "tapedeck\.example": it must be an address/],
    [{ HOST: '203.0.113.1' }, /HOST is "203\.0\.113\.1", which is not an address of this machine/],
    [{ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, /Set both DATABASE_URL and CATALOGUE_DATABASE_URL/],
  ])('refuses %p with one sentence, and leaves no process behind', async (env, sentence) => {
    await stopped();
    await expect(startProduct({ dataFolder: folder.path, env })).rejects.toThrow(sentence);
    expect(processesWith(folder.path)).toEqual([]);
  });

  it('runs once when it is started twice at the same moment, also with an instance.json that was cut off', async () => {
    await stopped();
    truncateSync(file('instance.json'), 10);
    const results = await Promise.allSettled([start(), start()]);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain('It is running already');
    expect(await statusOf(await running())).toBe(200);
  });

  it('starts afresh whatever is in the folder, and then too ends no other process', async () => {
    await stopped();
    const bystander = startBystander();
    rmSync(file('postgres', 'data', 'global'), { recursive: true });
    truncateSync(file('secrets.json'), 10);
    pretendDatabaseIs(bystander);
    expect(await stop(await start(['--fresh', '--no-demo']))).toBe(0);
    expect(hasEnded(bystander)).toBe(false);
  });
});
