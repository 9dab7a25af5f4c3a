import { access } from 'node:fs/promises';
import { demoRecords } from '@tapedeck/strategies/demo';
import { figuresOf } from '@tapedeck/strategies/events';
import { signIn } from '../http/sign-in.ts';
import { ms, say, table, times, type Claim } from '../print.ts';
import { startProduct } from '../product.ts';
import { median, percentile, timed } from '../statistics.ts';
import { captureNaively } from './naive-capture.ts';

type Sizes = Readonly<{ strategies: number; captures: number; naive: number; atOnce: number }>;
const fullSizes: Sizes = { strategies: 200, captures: 40, naive: 10, atOnce: 100 };
const quickSizes: Sizes = { strategies: 30, captures: 3, naive: 1, atOnce: 20 };

const aims = { firstMs: 5_000, p95Ms: 3_000, shownMs: 100, apiP99Ms: 100 };
const email = 'pro@tapedeck.example';
const otherEmails = ['free', 'elite', 'support', 'admin'].map((name) => `${name}@tapedeck.example`);

type Client = Readonly<{
  /** From the request to the last byte of the picture. */
  picture: (urlId: string) => Promise<Readonly<{ path: string; bytes: number }>>;
  /** A request that has nothing to do with charts. */
  other: () => Promise<void>;
}>;

const clientOf = (url: string, cookie: string): Client => ({
  picture: async (urlId) => {
    const answer = await fetch(`${url}/api/chart-screenshot`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ urlId }),
    });
    if (!answer.ok) throw new Error(`${urlId} was not captured: ${answer.status} ${await answer.text()}`);
    const { imagePath: path } = (await answer.json()) as { imagePath: string };
    const picture = await fetch(`${url}${path}`, { headers: { accept: 'image/avif,image/webp,*/*' } });
    if (!picture.ok) throw new Error(`${urlId} has no picture: ${picture.status}`);
    return { path, bytes: (await picture.arrayBuffer()).byteLength };
  },
  other: async () => {
    const answer = await fetch(`${url}/api/auth/user`, { headers: { cookie } });
    await answer.arrayBuffer();
  },
});

/** Strategies that the stand-in has a chart of. */
const capturable = async (site: string, sizes: Sizes): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const record of demoRecords({ count: sizes.strategies })) {
    if (figuresOf(record).totalPandlPercent === null) continue;
    const page = await fetch(`${site}/script/${record.url_id}/`, { method: 'HEAD' });
    if (page.ok) ids.push(record.url_id);
    if (ids.length === sizes.captures + 2) break;
  }
  return ids;
};

/** Repeats the request until the work is done; the times of each. */
const whileRunning = async (
  request: () => Promise<void>,
  work: Promise<unknown>,
): Promise<readonly number[]> => {
  const taken: number[] = [];
  let isRunning = true;
  const ended = work.finally(() => {
    isRunning = false;
  });
  while (isRunning) taken.push(await timed(request));
  await ended;
  return taken;
};

const siteOf = async (url: string): Promise<string> => {
  const { chartImageOrigin } = (await (await fetch(`${url}/api/config`)).json()) as {
    chartImageOrigin: string;
  };
  return new URL(chartImageOrigin).origin;
};

const assertSame = (pictures: readonly Readonly<{ path: string }>[]): void => {
  if (new Set(pictures.map(({ path }) => path)).size !== 1)
    throw new Error('Requests for one chart at once got different pictures: the results are invalid.');
};

const chromiumPath = async (): Promise<string> => {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  await access(path).catch(() => {
    throw new Error('This part needs Chromium: install the package "chromium", or set CHROMIUM to its path.');
  });
  return path;
};

export const benchCapture = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  const executable = await chromiumPath();
  const product = await startProduct({ DEMO_CATALOGUE: String(sizes.strategies) });
  try {
    const memberOf = async (address: string): Promise<Client> =>
      clientOf(product.url, await signIn(product.url, address));
    const member = await memberOf(email);
    const { picture, other } = member;
    const members = [member, ...(await Promise.all(otherEmails.map(memberOf)))];
    const site = await siteOf(product.url);
    const [first = '', popular = '', ...ids] = await capturable(site, sizes);
    const firstMs = await timed(() => picture(first));
    const captured: number[] = [];
    const shown: number[] = [];
    const bytes: number[] = [];
    const alone: number[] = [];
    for (let time = 0; time < 100; time++) alone.push(await timed(other));
    const capturing = (async () => {
      for (const id of ids) captured.push(await timed(async () => bytes.push((await picture(id)).bytes)));
    })();
    const beside = await whileRunning(other, capturing);
    for (const id of ids) shown.push(await timed(() => picture(id)));
    const atOnceMs = await timed(async () => {
      const each = Array.from({ length: sizes.atOnce / members.length });
      assertSame(await Promise.all(members.flatMap((one) => each.map(() => one.picture(popular)))));
    });
    const naive: number[] = [];
    for (const id of ids.slice(0, sizes.naive))
      naive.push(await timed(() => captureNaively(executable, `${site}/script/${id}/`)));
    say(
      `Capture: from a member's request to the last byte of the picture, ${captured.length} strategies one after the other; the pictures have ${Math.round(median(bytes) / 1_024)} KB in the median (AVIF).`,
    );
    table(
      ['milliseconds', 'p50', 'p95', 'max'],
      [
        ['captured', ms(median(captured)), ms(percentile(captured, 0.95)), ms(Math.max(...captured))],
        [
          'a script with a browser each time',
          ms(median(naive)),
          ms(percentile(naive, 0.95)),
          ms(Math.max(...naive)),
        ],
        ['already there', ms(median(shown)), ms(percentile(shown, 0.95)), ms(Math.max(...shown))],
        [
          'another call of the API, alone',
          ms(median(alone)),
          ms(percentile(alone, 0.95)),
          ms(Math.max(...alone)),
        ],
        [
          'another call while charts are captured',
          ms(median(beside)),
          ms(percentile(beside, 0.95)),
          ms(Math.max(...beside)),
        ],
      ],
    );
    say(
      `The script takes ${times(median(naive) / median(captured))} the time, and makes PNG only. The first capture, with the start of the browser: ${ms(firstMs)} ms. ${sizes.atOnce} requests of ${members.length} members at once for one strategy: ${ms(atOnceMs)} ms for all.`,
    );
    say();
    const p95 = percentile(captured, 0.95);
    return [
      {
        claim: 'from a request to the first picture of a strategy, p95',
        aim: `≤ ${ms(aims.p95Ms)} ms`,
        measured: `${ms(p95)} ms`,
        reached: p95 <= aims.p95Ms,
      },
      {
        claim: 'with the start of the browser',
        aim: `≤ ${ms(aims.firstMs)} ms`,
        measured: `${ms(firstMs)} ms`,
        reached: firstMs <= aims.firstMs,
      },
      {
        claim: 'to a picture that is there, p50',
        aim: `≤ ${aims.shownMs} ms`,
        measured: `${ms(median(shown))} ms`,
        reached: median(shown) <= aims.shownMs,
      },
      {
        claim: 'another call of the API while charts are captured, p99',
        aim: `≤ ${aims.apiP99Ms} ms`,
        measured: `${ms(percentile(beside, 0.99))} ms`,
        reached: percentile(beside, 0.99) <= aims.apiP99Ms,
      },
    ];
  } finally {
    await product.stop();
  }
};
