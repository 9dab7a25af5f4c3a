import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ChartPicture } from '../contract.ts';
import { startCaptureApi, type CaptureApi } from '../testing/capture-api.ts';
import { startTestCapture, type TestCapture } from '../testing/capture-process.ts';
import { openChartingSite, status, type ChartingSite } from '../testing/charting-site.ts';

let site: ChartingSite;
let capture: TestCapture;
let api: CaptureApi;

beforeAll(async () => {
  site = await openChartingSite({ Missing1: status(404) });
  capture = await startTestCapture(site.origin);
  api = await startCaptureApi(capture.url);
  await api.publish('Popular1', 'Another1', 'Missing1');
});
afterAll(async () => {
  await api.close();
  await capture.close();
  await site.close();
});

const coloursOf = async (bytes: ArrayBuffer): Promise<number> => {
  const { data } = await sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 3) colours.add(data.readUIntBE(at, 3));
  return colours.size;
};

const pictureOf = async (urlId: string): Promise<string> => {
  const answer = await api.ask(urlId);
  expect(answer.status).toBe(200);
  return ChartPicture.parse(await answer.json()).imagePath;
};

describe('capturing charts with a browser', () => {
  it('visits the site once, however many ask for one strategy at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.ask('Popular1')));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(site.visits('Popular1')).toBe(1);
  });

  it('gives each strategy a picture of its own, with more than 200 colours in every format', async () => {
    const paths = [await pictureOf('Popular1'), await pictureOf('Another1')];
    const pictures = await Promise.all(
      paths.flatMap((path) =>
        ['png', 'webp', 'avif'].map(async (format) => {
          const answer = await fetch(`${api.url}${path}`, { headers: { accept: `image/${format}` } });
          expect(answer.headers.get('content-type')).toBe(`image/${format}`);
          return answer.arrayBuffer();
        }),
      ),
    );
    for (const picture of pictures) expect(await coloursOf(picture)).toBeGreaterThan(200);
    expect(new Set(pictures.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(6);
    expect(site.visits('Popular1')).toBe(1);
  });

  it('says that the site does not have a strategy', async () => {
    const answer = await api.ask('Missing1');
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { detail: 'This strategy is not available on TradingView' },
    ]);
  });
});
