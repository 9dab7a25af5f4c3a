import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@tapedeck/platform/testing';
import { startTestApi, type TestApi } from './testing/test-api.ts';

let api: TestApi;
let own: string;

beforeAll(async () => {
  api = await startTestApi(await freePort(), 'http://127.0.0.1:1');
  own = api.origin;
});
afterAll(() => api.close());

type Answer = Readonly<{ status: number; code: string | undefined }>;

/** `fetch` would set some of these headers itself. */
const post = (headers: Readonly<Record<string, string>>, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${api.alias}/api/test`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => {
        const isProblem = (response.headers['content-type'] ?? '').includes('problem+json');
        const code = isProblem ? (JSON.parse(text) as { code: string }).code : undefined;
        resolve({ status: response.statusCode ?? 0, code });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

const json = { 'content-type': 'application/json' };
const length = (body: string): Record<string, string> => ({
  'content-length': String(Buffer.byteLength(body)),
});

describe('a request that changes something', () => {
  it.each([
    ['from our own page', { 'sec-fetch-site': 'same-origin' }],
    ['from our own page in an older browser', { origin: 'OWN' }],
    ['from our own page by its other loopback name', { origin: 'ALIAS' }],
  ])('is accepted %s', async (_from, headers) => {
    const known = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('OWN', own).replace('ALIAS', api.alias),
      ]),
    );
    expect(await post(known)).toMatchObject({ status: 201 });
    expect(await post({ ...known, ...json, ...length('{}') }, '{}')).toMatchObject({ status: 201 });
  });

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another site with our Origin', { 'sec-fetch-site': 'cross-site', origin: 'OWN' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    ['with an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['from another site in an older browser', { origin: 'https://evil.example' }],
    ['from a site whose name begins like ours', { origin: 'OWN.evil.example' }],
    ['from a page without an origin', { origin: 'null' }],
    ['without both headers', {}],
  ])('is refused %s', async (_from, headers) => {
    const known = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]),
    );
    expect(await post({ ...known, ...json, ...length('{}') }, '{}')).toEqual({
      status: 403,
      code: 'CROSS_SITE_REQUEST',
    });
  });

  it.each([
    ['a form as its body', 'application/x-www-form-urlencoded', 'a=1'],
    ['text as its body', 'text/plain', '{"a":1}'],
    ['a multipart form as its body', 'multipart/form-data; boundary=x', '--x--'],
    ['another type that begins like JSON as its body', 'application/jsonp', '{}'],
  ])('is refused with %s', async (_what, type, body) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type, ...length(body) };
    expect(await post(headers, body)).toEqual({ status: 415, code: 'BODY_NOT_JSON' });
  });

  it('is refused with a body of unknown type or length', async () => {
    const site = { 'sec-fetch-site': 'same-origin' };
    expect(await post({ ...site, ...length('{}') }, '{}')).toMatchObject({ status: 415 });
    expect(await post({ ...site, 'transfer-encoding': 'chunked' }, '{}')).toMatchObject({ status: 415 });
  });

  it('is accepted with parameters in the content type', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'Application/JSON ; charset=utf-8' };
    expect(await post({ ...headers, ...length('{}') }, '{}')).toMatchObject({ status: 201 });
  });
});

describe('a request that only reads', () => {
  it('is accepted from another site', async () => {
    const answer = await fetch(`${own}/health/live`, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(answer.status).toBe(200);
  });
});
