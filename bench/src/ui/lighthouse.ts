import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { count, ms, say, table, type Claim } from '../print.ts';
import { median } from '../statistics.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';

type Loaded = Readonly<{
  /** Performance, accessibility, best practices and search engines, 0 to 100. */
  scores: readonly [number, number, number, number];
  lcp: number;
  tbt: number;
  cls: number;
  /** Audits that lost points. */
  failed: readonly string[];
}>;

const program = join(import.meta.dirname, '..', '..', 'lighthouse', 'measure.mjs');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const loadOnce = async (port: number, url: string): Promise<Loaded> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(port), url]);
  return JSON.parse(stdout) as Loaded;
};

/** Each figure's own median over the loads. */
const medianOf = (loads: readonly Loaded[]): Loaded => {
  const of = (pick: (load: Loaded) => number): number => median(loads.map(pick));
  return {
    scores: [
      of(({ scores }) => scores[0]),
      of(({ scores }) => scores[1]),
      of(({ scores }) => scores[2]),
      of(({ scores }) => scores[3]),
    ],
    lcp: of(({ lcp }) => lcp),
    tbt: of(({ tbt }) => tbt),
    cls: of(({ cls }) => cls),
    failed: [...new Set(loads.flatMap(({ failed }) => failed))],
  };
};

type Wanted = Readonly<{ name: string; path: string; aims: readonly number[] }>;

const landing: Wanted = { name: 'landing page', path: '/', aims: [98, 100, 100, 100] };

const forMembers = (strategy: string): readonly Wanted[] => [
  { name: 'explorer', path: '/strategies', aims: [95] },
  { name: 'strategy page', path: strategy, aims: [95] },
];

const claimOf = ({ name, aims }: Wanted, { scores }: Loaded): Claim => ({
  claim: `Lighthouse, desktop: ${name}`,
  aim: `≥ ${aims.join(' / ')}`,
  measured: scores.slice(0, aims.length).map(count).join(' / '),
  reached: aims.every((aim, at) => (scores[at] ?? 0) >= aim),
});

const signIn = async (page: Page, origin: string): Promise<string> => {
  await page.goto(origin);
  await page.getByRole('link', { name: 'Sign in as Pro' }).click();
  const first = page.locator('.strategy-title a').first();
  await first.waitFor();
  return (await first.getAttribute('href')) ?? '';
};

type Measured = readonly (readonly [Wanted, Loaded])[];

const measureIn = async (folder: string, origin: string, rounds: number): Promise<Measured> => {
  const port = await freePort();
  // Lighthouse opens its pages beside the first one, with its cookies.
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--disable-gpu', `--remote-debugging-port=${port}`],
  });
  const measure = async (wanted: Wanted): Promise<Measured[number]> => {
    const loads: Loaded[] = [];
    for (let round = 0; round < rounds; round++) loads.push(await loadOnce(port, origin + wanted.path));
    return [wanted, medianOf(loads)];
  };
  try {
    const measured = [await measure(landing)];
    const strategy = await signIn(await context.newPage(), origin);
    for (const wanted of forMembers(strategy)) measured.push(await measure(wanted));
    return measured;
  } finally {
    await context.close();
  }
};

/** Lighthouse's median for pages of visitors and of members, as a desktop loads them. */
export const measurePages = async (origin: string, rounds: number): Promise<readonly Claim[]> => {
  const measured = await inTemporaryFolder((folder) => measureIn(folder, origin, rounds));
  table(
    ['page', 'performance', 'accessibility', 'best practices', 'search engines', 'LCP ms', 'TBT ms', 'CLS'],
    measured.map(([{ name }, { scores, lcp, tbt, cls }]) => [
      name,
      ...scores.map(count),
      ms(lcp),
      ms(tbt),
      cls.toFixed(3),
    ]),
  );
  for (const [{ name }, { failed }] of measured) for (const audit of failed) say(`${name}: ${audit}`);
  say();
  return measured.map(([wanted, loaded]) => claimOf(wanted, loaded));
};
