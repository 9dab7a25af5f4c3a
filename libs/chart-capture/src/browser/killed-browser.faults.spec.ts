import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { processesWith } from '@tapedeck/platform/testing';
import { startTestCapture, type TestCapture } from '../testing/capture-process.ts';
import { chartOf, openChartingSite, page, type ChartingSite } from '../testing/charting-site.ts';

let site: ChartingSite;
let capture: TestCapture | undefined;

/** Pages that are open until they are released. */
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => {
  release = resolve;
});

beforeAll(async () => {
  const ordinary = page(chartOf('held'));
  site = await openChartingSite({
    Held0001: (request, response) => void held.then(() => ordinary(request, response)),
    Held0002: () => undefined,
  });
});
afterEach(async () => {
  await capture?.close();
  capture = undefined;
  // What was killed ends a moment later.
  await eventually(() => expect(browsers()).toEqual([]));
});
afterAll(() => site.close());

/** The main processes of browsers that this test has started. */
const browsers = (): readonly number[] =>
  processesWith(`tapedeck-capture-${process.pid}-`)
    .filter((line) => line.includes('--remote-debugging-pipe') && !line.includes('--type='))
    .map((line) => Number.parseInt(line, 10));
/** All of their processes. */
const processes = (): readonly string[] => processesWith(`tapedeck-capture-${process.pid}-`);

const expectCaptured = async (id: string): Promise<void> => {
  expect(await capture?.capture(id)).toMatchObject({ outcome: 'captured' });
};

describe('a browser', () => {
  it('that is killed while it captures fails that capture, and the next one works with another browser', async () => {
    capture = await startTestCapture(site.origin);
    await expectCaptured('Before01');
    const [pid = 0] = browsers();
    const capturing = capture.capture('Held0002');
    await eventually(() => expect(site.visits('Held0002')).toBe(1));
    process.kill(pid, 'SIGKILL');
    expect(await capturing).toEqual({ outcome: 'failed', failure: 'unreachable' });
    await expectCaptured('After001');
    expect(browsers()).not.toContain(pid);
    expect(browsers()).toHaveLength(1);
  });

  it('that is killed between two captures is started again for the next one', async () => {
    capture = await startTestCapture(site.origin);
    await expectCaptured('Before02');
    const [pid = 0] = browsers();
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(browsers()).not.toContain(pid));
    await expectCaptured('After002');
  });

  it('that cannot be started is tried again later and later, and answered as busy meanwhile', async () => {
    const env = { CHROMIUM: '/bin/false' };
    // So long that a busy machine asks again before it is over.
    capture = await startTestCapture(site.origin, env, { browser: { firstBackOffMs: 15_000 } });
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await capture.capture(`Broken0${time}`));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['busy']));
    const waits = answers.map((answer) => (answer.outcome === 'busy' ? answer.retryAfterSeconds : 0));
    // The first two starts were tried at once; what comes right after waits.
    expect(waits.slice(0, 2)).toEqual([5, 5]);
    for (const wait of waits.slice(2)) {
      expect(wait).toBeGreaterThan(5);
      expect(wait).toBeLessThanOrEqual(15);
    }
  });

  it('that is missing is unavailable, until one is there', async () => {
    capture = await startTestCapture(site.origin, { CHROMIUM: '/nowhere/chromium' });
    expect(await capture.capture('NoBrow01')).toEqual({ outcome: 'unavailable' });
  });

  it('is replaced after some pages', async () => {
    capture = await startTestCapture(site.origin, {}, { browser: { maxPages: 3 } });
    const seen = new Set<number>();
    for (let time = 0; time < 7; time++) {
      await expectCaptured(`Replac0${time}`);
      for (const pid of browsers()) seen.add(pid);
    }
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });

  it('is closed when nothing is to be captured, nothing of it stays, and the next capture starts another', async () => {
    capture = await startTestCapture(site.origin, {}, { browser: { idleMs: 400 } });
    await expectCaptured('Closed01');
    await eventually(() => expect(processes()).toEqual([]));
    await expectCaptured('Closed02');
  });
});

describe('the queue', () => {
  it('opens two pages at once, lets twenty wait, and refuses the others at once', async () => {
    capture = await startTestCapture(site.origin);
    await expectCaptured('Before03');
    const { capture: ask } = capture;
    const first = [ask('Held0001'), ask('Held0002')];
    await eventually(() => expect([site.visits('Held0001'), site.visits('Held0002')]).toEqual([1, 2]));
    const ids = Array.from({ length: 198 }, (_, index) => `Queue${String(index).padStart(3, '0')}`);
    const asking = ids.map((id) => ask(id));
    const startedAt = performance.now();
    const refused = await Promise.all(asking.slice(20));
    expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(['busy']));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(ids.filter((id) => site.visits(id) > 0)).toEqual([]);
    release();
    expect(await first[0]).toMatchObject({ outcome: 'captured' });
    const waited = await Promise.all(asking.slice(0, 20));
    expect(waited.filter(({ outcome }) => outcome === 'captured').length).toBeGreaterThan(0);
    expect(waited.filter(({ outcome }) => outcome !== 'captured' && outcome !== 'busy')).toEqual([]);
    expect(ids.filter((id) => site.visits(id) > 1)).toEqual([]);
    await first[1];
  }, 120_000);
});
