import { request, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { identityRoutes } from '@tapedeck/identity/contract';
import { createLogger } from '@tapedeck/platform/log';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import type { Browser } from '@tapedeck/sandbox/testing';
import { strategyRoutes, UploadAccepted } from '@tapedeck/strategies/contract';
import { strategyImportStream } from '@tapedeck/strategies/events';
import { writeZip } from '@tapedeck/strategies/testing';
import { startWholeApi, type WholeApi } from './whole-api.ts';

const email = 'uploads@example.com';
const zip = writeZip([{ name: 'a.json', data: JSON.stringify({ url_id: 'Role0001', title: 'Roles' }) }]);
const boundary = 'xxBOUNDARYxx';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="zipFile"; filename="a.zip"\r\nContent-Type: application/zip\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;

let databases: TestDatabases;
let api: WholeApi;
let browser: Browser;
let account: string;
beforeAll(async () => {
  databases = await testDatabases();
  api = await startWholeApi({ urls: databases.urls, logger: createLogger('test', 'silent') });
  browser = await api.signIn(email);
  await api.project();
  const answer = await browser.request(`${api.url}${identityRoutes.user}`);
  ({ id: account } = (await answer.json()) as { id: string });
});
afterAll(async () => {
  await api.close();
  await databases.drop();
});

type Answer = Readonly<{ status: number; body: string }>;

/** An upload whose file has begun to arrive. */
const openUpload = async (): Promise<Readonly<{ sending: ClientRequest; answered: Promise<Answer> }>> => {
  const sending = request(`${api.url}${strategyRoutes.upload}`, {
    method: 'POST',
    headers: {
      cookie: browser.cookieHeader(api.url),
      origin: api.url,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  const answered = new Promise<Answer>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
  sending.write(head);
  sending.write(zip.subarray(0, 20));
  return { sending, answered };
};
const finish = (sending: ClientRequest): void => {
  sending.write(zip.subarray(20));
  sending.end(tail);
};

const uploads = async (): Promise<number> =>
  (await databases.tapedeck.query('select from strategy_uploads')).rowCount ?? 0;

describe('an upload', () => {
  it('is refused to support', async () => {
    await api.grant('support', email);
    browser = await api.signIn(email);
    const { sending, answered } = await openUpload();
    finish(sending);
    expect((await answered).status).toBe(403);
    expect(await uploads()).toBe(0);
  });

  it('is on the tape with its admin, also when the role is taken away meanwhile; the next request is refused', async () => {
    await api.grant('admin', email);
    browser = await api.signIn(email);
    const { sending, answered } = await openUpload();
    await eventually(async () => expect(await uploads()).toBe(1));
    await api.revoke('admin', email);
    finish(sending);
    const { status, body } = await answered;
    expect(status).toBe(202);
    const { jobId } = UploadAccepted.parse(JSON.parse(body));
    const [requested] = await api.product.store.readStream(strategyImportStream(jobId));
    expect(requested).toMatchObject({
      type: 'ImportRequested',
      metadata: { actorId: account, actorKind: 'admin' },
    });
    const statusNow = async (): Promise<number> =>
      (await browser.request(`${api.url}${strategyRoutes.importStatus(jobId)}`)).status;
    expect(await statusNow()).toBe(401);
    browser = await api.signIn(email);
    expect(await statusNow()).toBe(403);
    const next = await openUpload();
    finish(next.sending);
    expect((await next.answered).status).toBe(403);
    expect(await uploads()).toBe(1);
  });
});
