import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@tapedeck/kernel';
import { processesWith, temporaryFolder } from '@tapedeck/platform/testing';
import type { PartOptions, PartReport } from './first-start.ts';
import { endLeftovers, instanceProblems, secretsFile, startInstance, stopInstance } from './instance.ts';
import { createRandom, type Random } from './random.ts';

/** What the file contains afterwards; undefined: it is removed. */
type Damage = (content: Buffer, random: Random) => Buffer | undefined;

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const anyFile: Readonly<Record<string, Damage>> = {
  'cut off': (content, random) => content.subarray(0, random.below(content.length)),
  emptied: () => Buffer.alloc(0),
  removed: () => undefined,
  'random bytes': (_, random) => Buffer.from(Array.from({ length: 300 }, () => random.below(256))),
  'other content': () => json({ name: 'another program', processes: 'none', ports: [1, 2, 3] }),
};

const replaced =
  (name: string, value: () => unknown): Damage =>
  (content) =>
    json({ ...(JSON.parse(content.toString()) as object), [name]: value() });

const secrets: Readonly<Record<string, Damage>> = {
  'key of another instance': replaced('PERSONAL_DATA_KEY', () => randomBytes(32).toString('base64')),
  'key cut off': replaced('PERSONAL_DATA_KEY', () => randomBytes(20).toString('base64')),
  'secret cut off': replaced('SESSION_SECRET', () => 'short'),
  'key is a number': replaced('PERSONAL_DATA_KEY', () => 7),
};

const files = {
  'secrets.json': { ...anyFile, ...secrets },
  'instance.json': anyFile,
  'launcher.lock': anyFile,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Damage>>>>;

/** One of these sentences says why an instance does not start with its secrets as they are. */
const refusals = [
  /The secrets of this instance are missing \(\S+\), .*: put the file back/,
  /The secrets in \S+ are incomplete: put the file back/,
  /PERSONAL_DATA_KEY is not the key that encrypted .*: start with the former key/,
  /PERSONAL_DATA_KEY must be 32 bytes in base64/,
  /SESSION_SECRET must have at least 32 characters/,
];
const healthyShare = 0.2;

const contentOf = (file: string): Buffer | undefined => (existsSync(file) ? readFileSync(file) : undefined);
const put = (file: string, content: Buffer | undefined): void =>
  content ? writeFileSync(file, content, { mode: 0o600 }) : rmSync(file, { force: true });

const startAndVerify = async (folder: string): Promise<readonly string[]> => {
  const product = await startInstance(folder);
  const found = await instanceProblems(product).catch((error: unknown) => [messageOf(error)]);
  return [...found, ...(await stopInstance(product))];
};

/** Starts with damaged secrets: it must be refused in one sentence, and change neither them nor the tape. */
const startWithDamagedSecrets = async (
  folder: string,
  damaged: Buffer | undefined,
): Promise<readonly string[]> => {
  const started = await startInstance(folder).catch((error: unknown) => messageOf(error));
  if (typeof started !== 'string') {
    return ['it started with these secrets', ...(await stopInstance(started))];
  }
  const after = contentOf(secretsFile(folder));
  const isUntouched = after && damaged ? after.equals(damaged) : after === damaged;
  return [
    ...(refusals.some((sentence) => sentence.test(started)) ? [] : [`it says: ${started}`]),
    ...(isUntouched ? [] : ['the file of secrets was written']),
    ...processesWith(folder).map((line) => `left behind: ${line.slice(0, 120)}`),
  ];
};

const damageAndStart = async (
  folder: string,
  name: keyof typeof files,
  damage: Damage,
  random: Random,
): Promise<readonly string[]> => {
  const file = join(folder, name);
  const whole = contentOf(file) ?? json({ pid: process.pid, started: 'another time' });
  const damaged = damage(whole, random);
  put(file, damaged);
  try {
    if (name !== 'secrets.json') return await startAndVerify(folder);
    const found = await startWithDamagedSecrets(folder, damaged);
    put(file, whole);
    return random.uniform() < healthyShare ? [...found, ...(await startAndVerify(folder))] : found;
  } catch (error) {
    return [messageOf(error)];
  } finally {
    if (name === 'secrets.json') put(file, whole);
  }
};

/** Damages a file of an instance with personal data between a stop and a start, again and again. */
export const tortureFiles = async ({ faults, seed, say, signal }: PartOptions): Promise<PartReport> => {
  const random = createRandom(seed);
  const folder = temporaryFolder();
  const injected: Record<string, number> = {};
  const problems: string[] = [];
  try {
    problems.push(...(await startAndVerify(folder.path)));
    for (let n = 1; n <= faults; n++) {
      signal?.throwIfAborted();
      const name = random.pick(['secrets.json', 'secrets.json', 'instance.json', 'launcher.lock'] as const);
      const [how, damage] = random.pick(Object.entries<Damage>(files[name]));
      const fault = `${name}: ${how}`;
      injected[fault] = (injected[fault] ?? 0) + 1;
      const found = await damageAndStart(folder.path, name, damage, random);
      say(`${n}. ${fault}: ${found.length === 0 ? 'sound' : found.join('; ')}`);
      problems.push(...found.map((problem) => `${fault}: ${problem}`));
      await endLeftovers(folder.path);
    }
    return { injected, problems };
  } finally {
    await endLeftovers(folder.path);
    folder.remove();
  }
};
