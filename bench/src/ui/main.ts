import { chromium, type Browser, type Page } from 'playwright-core';
import { count, ms, say, printClaims, table, type Claim } from '../print.ts';
import { startProduct } from '../product.ts';
import { percentile } from '../statistics.ts';
import { dragThumb, thumbs, type Thumb } from './drag.ts';
import { installFrameWatch, watchFrames, type WatchedFrames } from './frame-watch.ts';
import { measurePages } from './lighthouse.ts';
import { measurePhone } from './phone.ts';
import { phases, watchRequests, type RequestCounts } from './requests.ts';
import { traceWork } from './trace.ts';

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 4;
const dragged = quick ? thumbs.filter((_, at) => at % 3 === 0) : thumbs;
const maxFrameMs = 32;
const slowdown = 4;
const idleMillis = 3_000;

const openExplorer = async (browser: Browser, origin: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await installFrameWatch(page);
  await page.goto(origin);
  await page.getByRole('link', { name: 'Sign in as Pro' }).click();
  await page.getByRole('heading', { name: 'Strategy Explorer' }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
};

const joined = (all: readonly WatchedFrames[]): WatchedFrames => ({
  frames: all.flatMap(({ frames }) => frames),
  longTasks: all.flatMap(({ longTasks }) => longTasks),
});

type Dragged = Readonly<{ watched: WatchedFrames; requests: RequestCounts; drags: number }>;

let drags = 0;

const dragAll = async (page: Page, some: readonly Thumb[], times: number): Promise<Dragged> => {
  const requests = watchRequests(page);
  const watched: WatchedFrames[] = [];
  for (let time = 0; time < times; time++) {
    for (const thumb of some) watched.push(await dragThumb(page, thumb, drags++, requests));
  }
  return { watched: joined(watched), requests: requests.counts(), drags: watched.length };
};

const frameRow = (name: string, { frames, longTasks }: WatchedFrames): readonly string[] => [
  name,
  count(frames.length),
  ...[0.5, 0.95, 0.99, 1].map((p) => ms(percentile(frames, p))),
  count(frames.filter((millis) => millis > maxFrameMs).length),
  count(longTasks.length),
];

const showRequests = ({ requests, drags }: Dragged): void => {
  say(`Requests of ${drags} drags: before the thumb is pressed, while it is held, after it was let go:`);
  say();
  table(
    ['requests', 'explorations', 'histograms', 'slices', 'others'],
    phases.map((phase) => {
      const { explorations, histograms, slices, others } = requests[phase];
      return [phase, ...[explorations, histograms, slices, others].map(count)];
    }),
  );
};

const claimsOf = ({ watched, requests }: Dragged): readonly Claim[] => {
  const longest = percentile(watched.frames, 1);
  const facets = requests.during.explorations + requests.during.histograms;
  return [
    {
      claim: 'longest frame of a drag',
      aim: `≤ ${maxFrameMs} ms`,
      measured: `${ms(longest)} ms`,
      reached: longest <= maxFrameMs,
    },
    {
      claim: 'facet requests while a thumb is held',
      aim: '0',
      measured: count(facets),
      reached: facets === 0,
    },
  ];
};

const measure = async (browser: Browser, origin: string): Promise<readonly Claim[]> => {
  const page = await openExplorer(browser, origin);
  await dragAll(page, dragged.slice(0, 2), 1);
  const idle = await watchFrames(page, () => page.waitForTimeout(idleMillis));
  const normal = await dragAll(page, dragged, rounds);
  const traced = await traceWork(browser, page, () => dragAll(page, dragged.slice(0, 4), 1));
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const slow = await dragAll(page, dragged, Math.ceil(rounds / 2));
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });

  table(
    ['frames', 'number', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', `over ${maxFrameMs}`, 'long tasks'],
    [
      frameRow('nothing moves', idle),
      frameRow('a thumb is dragged', normal.watched),
      frameRow(`… on a ${slowdown} times slower processor`, slow.watched),
    ],
  );
  say(
    `Traced: ${count(traced.tasks)} tasks of the main thread, p99 ${ms(traced.p99)} ms, longest ${ms(traced.longest)} ms;` +
      ` ${count(traced.drawn)} frames drawn, ${count(traced.dropped)} dropped.`,
  );
  say();
  showRequests(normal);
  return claimsOf(normal);
};

const main = async (): Promise<void> => {
  const product = await startProduct();
  try {
    const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] });
    say(`Chromium ${browser.version()} without a GPU, the demo catalogue of 4,500 strategies.`);
    say();
    const loads = quick ? 1 : 3;
    const claims = [
      ...(await measure(browser, product.url)),
      ...(await measurePhone(browser, product.url, loads)),
    ];
    await browser.close();
    claims.push(...(await measurePages(product.url, loads)));
    if (quick) say('A quick run shows that the benchmark works; its figures say nothing.\n');
    printClaims(claims);
  } finally {
    await product.stop();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
