import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { systemClock } from '@tapedeck/kernel';
import { chartCaptureRoutes, ChartPicture, chartTexts } from './contract.ts';
import { member, startCaptureApi, type CaptureApi } from './testing/capture-api.ts';
import { pictureOf, startScriptedCapture, type ScriptedCapture } from './testing/scripted-capture.ts';

const dayMs = 86_400_000;
let aheadMs = 0;
let capture: ScriptedCapture;
let api: CaptureApi;
let published = 0;

beforeAll(async () => {
  capture = await startScriptedCapture();
  api = await startCaptureApi(capture.url, { clock: { now: () => systemClock.now() + aheadMs } });
});
afterAll(async () => {
  await api.close();
  await capture.close();
});

/** A strategy that no other test uses. */
const newStrategy = async (): Promise<string> => {
  const urlId = `New${String(published++).padStart(5, '0')}`;
  await api.publish(urlId);
  return urlId;
};
const asksFor = (urlId: string): number => capture.asked().filter((one) => one === urlId).length;
const pictureFrom = async (answer: Response): Promise<ChartPicture> => {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  return ChartPicture.parse(await answer.json());
};
const problemFrom = async (answer: Response): Promise<unknown> => ({
  ...((await answer.json()) as object),
  retryAfter: Number(answer.headers.get('retry-after')),
});
const typesOf = async (urlId: string): Promise<readonly string[]> =>
  (await api.eventsOf(urlId)).map(({ type }) => type);
const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${api.url}${path}`, { headers });

describe('a request for a chart', () => {
  it('has it captured, as an event of the member, and later shows the picture there is', async () => {
    const urlId = await newStrategy();
    const answer = await api.ask(urlId);
    const picture = await pictureFrom(answer);
    expect(picture).toMatchObject({ width: 1_600, height: 1_000 });
    expect(picture.imagePath).toMatch(new RegExp(`^${chartCaptureRoutes.picture(urlId)}\\?v=[0-9a-f]{32}$`));
    const [event] = await api.eventsOf(urlId);
    expect(event).toMatchObject({
      type: 'ChartCaptured',
      data: { urlId, width: 1_600, bytes: { png: 13 } },
      metadata: { actorId: member, actorKind: 'member' },
    });
    const position = answer.headers.get('tape-position') ?? '';
    expect(position).toBe(String(event?.position));
    expect(await pictureFrom(await api.ask(urlId, member, { 'tape-position': position }))).toEqual(picture);
    expect(asksFor(urlId)).toBe(1);
    expect(await typesOf(urlId)).toEqual(['ChartCaptured']);
  });

  it('is one capture for all requests at the same time, and the same answer', async () => {
    const urlId = await newStrategy();
    const release = capture.hold();
    const asking = Array.from({ length: 20 }, () => api.ask(urlId));
    await eventually(() => expect(asksFor(urlId)).toBe(1));
    release();
    const answers = await Promise.all(asking);
    const pictures = await Promise.all(answers.map(pictureFrom));
    expect(new Set(pictures.map(({ imagePath }) => imagePath)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get('tape-position'))).size).toBe(1);
    expect(asksFor(urlId)).toBe(1);
    expect(await typesOf(urlId)).toHaveLength(1);
  });

  it('leaves the database to the other requests of the member while the chart is captured', async () => {
    const shown = await newStrategy();
    const position = (await api.ask(shown)).headers.get('tape-position') ?? '';
    const urlId = await newStrategy();
    const release = capture.hold();
    const asking = Array.from({ length: 20 }, () => api.ask(urlId));
    await eventually(() => expect(asksFor(urlId)).toBe(1));
    const other = await api.ask(shown, member, { 'tape-position': position });
    release();
    const answers = await Promise.all(asking);
    expect(other.status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('has it captured again when its figures were revised, when its files are lost, and in the background when it is old', async () => {
    const urlId = await newStrategy();
    capture.answer(pictureOf('one'));
    const first = await pictureFrom(await api.ask(urlId));
    await api.revise(urlId, '−1 USD (−1%)');
    capture.answer(pictureOf('two'));
    const second = await pictureFrom(await api.ask(urlId));
    expect(second.imagePath).not.toBe(first.imagePath);
    // Of a picture that was replaced, nothing is left.
    expect(readdirSync(join(api.pictureFolder, urlId))).toHaveLength(3);
    rmSync(join(api.pictureFolder, urlId), { recursive: true });
    await eventually(async () => {
      expect((await pictureFrom(await api.ask(urlId))).imagePath).toBe(second.imagePath);
      expect(asksFor(urlId)).toBe(3);
    });
    await eventually(async () => expect(await typesOf(urlId)).toHaveLength(3));
    aheadMs += 8 * dayMs;
    capture.answer(pictureOf('three'));
    const release = capture.hold();
    await eventually(async () => {
      expect((await pictureFrom(await api.ask(urlId))).imagePath).toBe(second.imagePath);
      expect(asksFor(urlId)).toBe(4);
    });
    release();
    await eventually(async () => {
      expect((await pictureFrom(await api.ask(urlId))).imagePath).not.toBe(second.imagePath);
    });
    expect(await typesOf(urlId)).toHaveLength(4);
    expect(asksFor(urlId)).toBe(4);
    capture.answer(pictureOf('first'));
  });

  it('is 404 for a strategy that is not in the catalogue, or not any more', async () => {
    const urlId = await newStrategy();
    await pictureFrom(await api.ask(urlId));
    await api.withdraw(urlId);
    for (const id of [urlId, 'Unknown1', 'short', '../../etc', ''])
      expect(await problemFrom(await api.ask(id))).toMatchObject({ status: 404, code: 'STRATEGY_NOT_FOUND' });
  });

  it.each([
    ['not-on-site', 404, 'CHART_NOT_ON_SITE', 'This strategy is not available on TradingView'],
    ['no-chart', 404, 'CHART_MISSING', 'Performance chart not available for this strategy'],
    ['timeout', 503, 'CHART_TIMEOUT', 'Loading timeout - please try again later'],
    ['unreachable', 503, 'CHART_UNREACHABLE', 'Unable to load performance chart - please try again later'],
  ] as const)(
    'that fails (%s) says so, again without a further try until its time has come',
    async (failure, status, code, detail) => {
      const urlId = await newStrategy();
      capture.answer({ outcome: 'failed', failure });
      expect(await problemFrom(await api.ask(urlId))).toMatchObject({ status, code, detail, retryAfter: 30 });
      const again = (await problemFrom(await api.ask(urlId))) as { retryAfter: number };
      expect(again).toMatchObject({ status, code, detail });
      expect(again.retryAfter).toBeLessThanOrEqual(30);
      expect(asksFor(urlId)).toBe(1);
      aheadMs += 31_000;
      // Until then the first failure answers for what comes right after it.
      await eventually(async () =>
        expect(await problemFrom(await api.ask(urlId))).toMatchObject({ status, code, retryAfter: 60 }),
      );
      capture.answer(pictureOf('first'));
      await api.revise(urlId, '+2 USD (+2%)');
      await eventually(async () => void (await pictureFrom(await api.ask(urlId))));
      expect(await typesOf(urlId)).toEqual(['ChartCaptureFailed', 'ChartCaptureFailed', 'ChartCaptured']);
    },
  );

  it('keeps the picture there is when a later capture fails', async () => {
    const urlId = await newStrategy();
    const { imagePath } = await pictureFrom(await api.ask(urlId));
    aheadMs += 8 * dayMs;
    capture.answer({ outcome: 'failed', failure: 'timeout' });
    const release = capture.hold();
    await eventually(async () => {
      expect((await pictureFrom(await api.ask(urlId))).imagePath).toBe(imagePath);
      expect(asksFor(urlId)).toBe(2);
    });
    release();
    await eventually(async () =>
      expect(await typesOf(urlId)).toEqual(['ChartCaptured', 'ChartCaptureFailed']),
    );
    // The read model knows of the failure by then.
    const position = String((await api.eventsOf(urlId)).at(-1)?.position);
    const later = await api.ask(urlId, member, { 'tape-position': position });
    expect((await pictureFrom(later)).imagePath).toBe(imagePath);
    expect(asksFor(urlId)).toBe(2);
    capture.answer(pictureOf('first'));
  });

  it('is 503 without an event while nothing can be captured, and works afterwards', async () => {
    const urlId = await newStrategy();
    capture.answer({ outcome: 'unavailable' });
    expect(await problemFrom(await api.ask(urlId))).toMatchObject({
      code: 'CHART_CAPTURE_UNAVAILABLE',
      detail: chartTexts.unavailable,
    });
    capture.answer({ outcome: 'busy', retryAfterSeconds: 7 });
    const busy = { status: 503, code: 'CHART_CAPTURE_BUSY', detail: chartTexts.unreachable };
    expect(await problemFrom(await api.ask(urlId))).toMatchObject({ ...busy, retryAfter: 7 });
    capture.answer('nothing');
    expect(await problemFrom(await api.ask(urlId))).toMatchObject({ ...busy, retryAfter: 5 });
    expect(await typesOf(urlId)).toEqual([]);
    capture.answer(pictureOf('first'));
    await pictureFrom(await api.ask(urlId));
  });

  it('is refused as busy when the capture process sends something other than pictures', async () => {
    const urlId = await newStrategy();
    const script = Buffer.from('<script>alert(1)</script>').toString('base64');
    const pictures = { png: script, webp: script, avif: script };
    capture.answer({ outcome: 'captured', width: 1, height: 1, pictures });
    expect(await problemFrom(await api.ask(urlId))).toMatchObject({ code: 'CHART_CAPTURE_BUSY' });
    expect(await typesOf(urlId)).toEqual([]);
    capture.answer(pictureOf('first'));
  });
});

describe('a picture', () => {
  it.each([
    ['image/avif,image/webp,*/*', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'png'],
  ])('is sent for "%s" as %s, to be kept for ever under its version', async (accept, format) => {
    const urlId = await newStrategy();
    const { imagePath } = await pictureFrom(await api.ask(urlId));
    const answer = await get(imagePath, { accept });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('Accept'),
      'x-content-type-options': 'nosniff',
    });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10);
    const etag = answer.headers.get('etag') ?? '';
    const known = await get(imagePath, { accept, 'if-none-match': etag });
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
    const other = await get(imagePath, { accept: 'image/png', 'if-none-match': etag });
    expect(other.status).toBe(format === 'png' ? 304 : 200);
    const head = await fetch(`${api.url}${imagePath}`, { method: 'HEAD', headers: { accept } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, `image/${format}`]);
  });

  it('is the present one without a version, and under one that was replaced or never was', async () => {
    const urlId = await newStrategy();
    await pictureFrom(await api.ask(urlId));
    for (const query of ['', '?v=', `?v=${'0'.repeat(32)}`, '?v=../../x']) {
      const answer = await get(chartCaptureRoutes.picture(urlId) + query);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
      expect((await get(chartCaptureRoutes.picture(urlId) + query, headers)).status).toBe(304);
    }
  });

  it('is 404 for a strategy without one, and for addresses that name none', async () => {
    const urlId = await newStrategy();
    const addresses = [
      chartCaptureRoutes.picture(urlId),
      chartCaptureRoutes.picture('Unknown1'),
      '/public-objects/screenshots/short.png',
      `/public-objects/screenshots/${urlId}.svg`,
      `/public-objects/screenshots/${urlId}`,
      '/public-objects/screenshots/..%2f..%2fpackage.json',
      '/public-objects/screenshots/%2e%2e.png',
      '/public-objects/screenshots/New00000%00.png',
    ];
    const statuses = await Promise.all(addresses.map(async (address) => (await get(address)).status));
    expect(statuses).toEqual(addresses.map(() => 404));
  });
});

describe('a visitor', () => {
  it('may capture the first strategy by its id, and no other', async () => {
    await api.publish('00000000', 'aaaaaaaa', 'AAAAAAAA');
    const sample = (await (await get(chartCaptureRoutes.sample)).json()) as { urlId: string };
    expect(sample).toEqual({ urlId: '00000000' });
    expect((await pictureFrom(await api.ask(sample.urlId, null))).imagePath).toContain('00000000.png');
    const [event] = await api.eventsOf(sample.urlId);
    expect(event?.metadata).toMatchObject({ actorKind: 'visitor' });
    for (const urlId of ['AAAAAAAA', 'Unknown1'])
      expect(await problemFrom(await api.ask(urlId, null))).toMatchObject({
        status: 401,
        code: 'SIGNED_OUT',
      });
    const key = await api.ask(sample.urlId, null, { 'idempotency-key': 'x' });
    expect(key.status).toBe(200);
  });
});

describe('the limit of captures', () => {
  let limited: CaptureApi;
  beforeAll(async () => {
    const config = { RATE_LIMIT_CAPTURE: { max: 3, windowMs: 600_000 } };
    limited = await startCaptureApi(capture.url, { config });
    await limited.publish('Limit001', 'Limit002', 'Limit003', 'Limit004');
  });
  afterAll(() => limited.close());

  it('counts captures that a member starts, and no request for a picture that is there', async () => {
    for (const urlId of ['Limit001', 'Limit002', 'Limit003']) await pictureFrom(await limited.ask(urlId));
    for (let time = 0; time < 5; time++) await pictureFrom(await limited.ask('Limit001'));
    expect(await problemFrom(await limited.ask('Limit004'))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    });
  });

  it('counts every request of a visitor', async () => {
    for (let time = 0; time < 3; time++) await pictureFrom(await limited.ask('Limit001', null));
    expect((await limited.ask('Limit001', null)).status).toBe(429);
  });
});

describe('without a capture process', () => {
  it('there is no chart, which the answer says', async () => {
    const without = await startCaptureApi('');
    await without.publish('Without1');
    expect(await problemFrom(await without.ask('Without1'))).toMatchObject({
      status: 503,
      code: 'CHART_CAPTURE_UNAVAILABLE',
      detail: 'Performance chart not available',
    });
    await without.close();
  });
});
