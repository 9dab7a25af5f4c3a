import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { ChartFailure } from '../contract.ts';
import { startTestCapture, type TestCapture } from '../testing/capture-process.ts';
import {
  chartOf,
  endless,
  gzipBomb,
  openCanary,
  openChartingSite,
  page,
  redirectTo,
  status,
  type Canary,
  type ChartingSite,
  type Page,
} from '../testing/charting-site.ts';

const script = (code: string): string => `<script>${code}</script>`;

type HostilePage = readonly [id: string, what: string, failure: ChartFailure, page: Page];

/** They end by themselves or at a limit of their size, however long a busy machine takes to come to it. */
const ending: readonly HostilePage[] = [
  ['Gone0404', 'is not there', 'not-on-site', status(404)],
  ['Gone0410', 'is gone', 'not-on-site', status(410)],
  ['Error500', 'fails', 'unreachable', status(500)],
  ['Login401', 'asks for a password', 'unreachable', status(401, { 'www-authenticate': 'Basic realm="x"' })],
  [
    'Download',
    'is a download',
    'unreachable',
    status(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }),
  ],
  ['Redirect', 'leads to another place', 'unreachable', redirectTo('http://example.com/')],
  ['RedirLoo', 'leads to itself', 'unreachable', redirectTo('/script/RedirLoo/')],
  ['Endless1', 'is without an end', 'unreachable', endless],
  ['Bomb0001', 'is a gzip bomb', 'unreachable', gzipBomb()],
  [
    'Memory01',
    'takes 10 GB',
    'unreachable',
    page(script('const all = []; for (;;) all.push(new Uint8Array(50_000_000).fill(1));')),
  ],
  [
    'Memory02',
    'takes 10 GB of objects',
    'unreachable',
    page(script('const all = []; for (;;) all.push({ text: String(Math.random()) });')),
  ],
];

/** They end at the limits of time, at which also an ordinary page may end on a busy machine. */
const waiting: readonly HostilePage[] = [
  ['NoChart1', 'has no chart', 'no-chart', page('<p>Nothing</p>')],
  ['NoChart2', 'is empty', 'no-chart', page('')],
  ['NoChart3', 'has a chart that is not shown', 'no-chart', page(chartOf('x', 'visibility:hidden'))],
  ['Hanging1', 'never answers', 'timeout', () => undefined],
  ['Loop0001', 'computes for ever', 'timeout', page(chartOf('x') + script('for (;;) {}'))],
  [
    'Loop0002',
    'computes for ever after it has loaded',
    'timeout',
    page(script('addEventListener("load", () => setTimeout(() => { for (;;) {} }))')),
  ],
  [
    'Alerts01',
    'shows one dialog after the other',
    'timeout',
    page(script('for (;;) alert(1)') + chartOf('x')),
  ],
];

/** Each rule for addresses has its own tests in `egress/`. */
const privateAddresses: readonly string[] = [
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://0.0.0.0/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://localhost/',
  'http://some.localhost/',
  'file:///etc/passwd',
  'view-source:http://127.0.0.1/',
  'data:text/html,hello',
  'chrome://version/',
];

/** With the port of the canary in place of `PORT`. */
const attempts: readonly (readonly [what: string, body: string])[] = [
  ['an image', '<img src="http://127.0.0.1:PORT/x.png"><img src="https://localhost:PORT/x.png">'],
  ['a frame', '<iframe src="http://127.0.0.1:PORT/"></iframe>'],
  [
    'a script and a style',
    '<script src="http://127.0.0.1:PORT/x.js"></script><link rel=stylesheet href="http://127.0.0.1:PORT/x.css">',
  ],
  [
    'hints',
    '<link rel=prefetch href="http://127.0.0.1:PORT/a"><link rel=preconnect href="http://127.0.0.1:PORT"><link rel=dns-prefetch href="//localhost:PORT"><link rel=prerender href="http://127.0.0.1:PORT/b">',
  ],
  [
    'fetch',
    script(
      'fetch("http://127.0.0.1:PORT/", { mode: "no-cors" }).catch(() => {}); navigator.sendBeacon("http://127.0.0.1:PORT/");',
    ),
  ],
  [
    'XMLHttpRequest',
    script('const x = new XMLHttpRequest(); x.open("POST", "http://127.0.0.1:PORT/"); x.send("a");'),
  ],
  [
    'a form',
    '<form id=f method=post action="http://127.0.0.1:PORT/" target=_blank></form>' + script('f.submit()'),
  ],
  ['WebSocket', script('new WebSocket("ws://127.0.0.1:PORT/"); new WebSocket("wss://127.0.0.1:PORT/");')],
  [
    'a worker',
    script(
      "const code = \"try { new WebSocket('ws://127.0.0.1:PORT/') } catch {} fetch('http://127.0.0.1:PORT/').catch(() => {})\"; new Worker(URL.createObjectURL(new Blob([code])));",
    ),
  ],
  ['EventSource', script('new EventSource("http://127.0.0.1:PORT/")')],
  [
    'WebRTC',
    script(
      'const c = new RTCPeerConnection({ iceServers: [{ urls: ["stun:127.0.0.1:PORT", "turn:127.0.0.1:PORT?transport=tcp"], username: "u", credential: "c" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o));',
    ),
  ],
  ['a window', script('for (let i = 0; i < 50; i++) open("http://127.0.0.1:PORT/" + i);')],
];

const idOf = (kind: string, index: number): string =>
  `${kind}${String(index).padStart(8 - kind.length, '0')}`;

let canary: Canary;
let site: ChartingSite;
let capture: TestCapture;
let brief: TestCapture;

beforeAll(async () => {
  canary = await openCanary();
  const port = String(canary.port);
  site = await openChartingSite({
    ...Object.fromEntries([...ending, ...waiting].map(([id, , , answer]) => [id, answer])),
    ...Object.fromEntries(privateAddresses.map((url, index) => [idOf('To', index), redirectTo(url)])),
    ...Object.fromEntries(
      privateAddresses.map((url, index) => [
        idOf('Js', index),
        page(script(`location.href = ${JSON.stringify(url)}`)),
      ]),
    ),
    ...Object.fromEntries(
      attempts.map(([, body], index) => [
        idOf('Try', index),
        page(body.replaceAll('PORT', port) + chartOf(`attempt ${index}`)),
      ]),
    ),
    Canary00: redirectTo(`http://127.0.0.1:${port}/`),
    Meta0001: page(chartOf('meta'), `<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/">`),
    Popups01: page(script('for (let i = 0; i < 1000; i++) open("about:blank")') + chartOf('popups')),
    Large001: page(chartOf('large', 'width:1000000px;height:1000000px')),
  });
  const env = { CAPTURE_MEMORY_MB: '700' };
  capture = await startTestCapture(site.origin, env, {
    page: { gotoMs: 50_000, settleMs: 50_000, jobMs: 55_000 },
  });
  brief = await startTestCapture(site.origin, env, {
    page: { gotoMs: 6_000, settleMs: 3_000, jobMs: 14_000 },
  });
});
afterAll(async () => {
  await capture.close();
  await brief.close();
  await site.close();
  await canary.close();
});

const expectChart = async (id: string, by = capture): Promise<void> => {
  expect(await by.capture(id)).toMatchObject({ outcome: 'captured' });
};

describe('a page that', () => {
  it.each(ending)(
    '%s: %s, is a failure that says so, and the next capture works',
    async (id, _what, failure) => {
      expect(await capture.capture(id)).toEqual({ outcome: 'failed', failure });
      await expectChart('Ordinary');
    },
    120_000,
  );

  it.each(waiting)(
    '%s: %s, is a failure that says so, and captures work after it',
    async (id, _what, failure) => {
      await eventually(
        async () => expect(await brief.capture(id)).toEqual({ outcome: 'failed', failure }),
        50_000,
      );
      await eventually(() => expectChart('Ordinary', brief), 50_000);
    },
    120_000,
  );

  it('is larger than a screen is captured as far as one shows it', async () => {
    const captured = await capture.capture('Large001');
    expect(captured).toMatchObject({ outcome: 'captured' });
    if (captured.outcome !== 'captured') return;
    expect(captured.width * captured.height).toBeLessThan(4_000_000);
  });

  it('opens a thousand windows is captured, and none of them stays', async () => {
    await capture.capture('Popups01');
    await expectChart('Ordinary');
  });
});

describe('a page reaches nothing of this machine or its network', () => {
  afterEach(() => expect(canary.contacts()).toBe(0));

  it.each(privateAddresses.map((url, index) => [url, index] as const))(
    'when the site leads to %s',
    async (_url, index) => {
      const [byRedirect, byScript] = await Promise.all([
        capture.capture(idOf('To', index)),
        brief.capture(idOf('Js', index)),
      ]);
      expect(byRedirect).toEqual({ outcome: 'failed', failure: 'unreachable' });
      expect(byScript).toMatchObject({ outcome: 'failed' });
    },
  );

  it('when the site leads to a server that runs there', async () => {
    expect(await capture.capture('Canary00')).toEqual({ outcome: 'failed', failure: 'unreachable' });
    await brief.capture('Meta0001');
  });

  it.each(attempts.map(([what], index) => [what, index] as const))('by %s', async (_what, index) => {
    await expectChart(idOf('Try', index));
  });
});
