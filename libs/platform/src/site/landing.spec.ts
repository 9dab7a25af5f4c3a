import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testing.ts';
import { openLanding, type Landing } from './landing.ts';

const template = `<head><!--landing-head--><script>theme()</script><style>a{}</style></head><body><!--landing-body--></body>`;
const renderer = `export const renderLanding = ({ publicOrigin, hasSession, config }) => ({
  head: '<link href="' + publicOrigin + '">',
  body: (hasSession ? 'member' : 'visitor') + ' pays $1 and $& ' + config.price,
});`;

const folder = temporaryFolder();
const root = join(folder.path, 'site');
let rendered = 0;
let landing: Landing;

beforeAll(async () => {
  for (const name of ['site', 'render']) mkdirSync(join(folder.path, name));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'landing.html'), template);
  writeFileSync(join(folder.path, 'render', 'landing.js'), renderer);
  const clientConfig = (): unknown => ({ price: (rendered += 1) });
  landing = await openLanding({ root, publicOrigin: 'https://a.example', clientConfig });
});
afterAll(() => folder.remove());

const hash = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

describe('the landing page', () => {
  it('is rendered from the configuration, once for browsers with a session and once for those without', () => {
    const texts = [false, true, false].map((hasSession) =>
      landing.page(hasSession).bodies.identity.toString(),
    );
    expect(texts[0]).toBe(
      '<head><link href="https://a.example"><script>theme()</script><style>a{}</style></head><body>visitor pays $1 and $& 1</body>',
    );
    expect(texts[1]).toContain('member pays $1 and $& 2');
    expect(texts[2]).toBe(texts[0]);
    expect(landing.page(true).etag).not.toBe(landing.page(false).etag);
  });

  it('is the same in every encoding', () => {
    const { br, gzip, identity } = landing.page(false).bodies;
    expect([brotliDecompressSync(br), gunzipSync(gzip)]).toEqual([identity, identity]);
  });

  it('says by hash what is inside of it', () => {
    expect(landing.page(false).inlined).toEqual({ scripts: [hash('theme()')], styles: [hash('a{}')] });
  });

  it('is missing before a build', async () => {
    const empty = { root: join(folder.path, 'render'), publicOrigin: '', clientConfig: () => ({}) };
    await expect(openLanding(empty)).rejects.toMatchObject({ code: 'WEB_CLIENT_MISSING' });
  });
});
