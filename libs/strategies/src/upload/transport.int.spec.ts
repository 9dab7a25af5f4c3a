import { request, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { strategyRoutes, uploadLimits } from '../contract.ts';
import { adminHeaders, startUploadApi, type UploadApi } from '../testing/upload-api.ts';

const timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  uploadMs: 1_200,
  minUploadBytes: 65_536,
  keepAliveMs: 75_000,
  checkIntervalMs: 1_000,
};

let api: UploadApi;
/** Uploads have little time. */
let hurried: UploadApi;
beforeAll(async () => {
  [api, hurried] = await Promise.all([startUploadApi(), startUploadApi(timeouts)]);
});
afterAll(() => Promise.all([api.close(), hurried.close()]));

const waiting = async ({ databases }: UploadApi = api): Promise<number> =>
  Number((await databases.tapedeck.query('select from strategy_uploads')).rowCount);
const discard = (): Promise<unknown> => api.databases.tapedeck.query('delete from strategy_uploads');

const boundary = 'xxBOUNDARYxx';
const head = (field = 'zipFile', file = 'a.zip'): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${file}"\r\nContent-Type: application/zip\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;

type Sending = Readonly<{ sending: ClientRequest; ended: Promise<number | 'closed'> }>;

/** Opens an upload without a length; `ended` is the status, or `closed`. */
const openRaw = ({ url }: UploadApi = api): Sending => {
  const headers = { ...adminHeaders, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const sending = request(`${url}${strategyRoutes.upload}`, { method: 'POST', headers });
  const ended = new Promise<number | 'closed'>((resolve) => {
    sending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sending.on('error', () => resolve('closed'));
  });
  return { sending, ended };
};
const sendRaw = (parts: readonly (Buffer | string)[]): Promise<number | 'closed'> => {
  const { sending, ended } = openRaw();
  for (const part of parts) sending.write(part);
  sending.end();
  return ended;
};

type Slow = Readonly<{ status: number | 'closed'; afterMs: number }>;

describe('the transport of an upload', () => {
  it('takes 20 MB exactly, and not one byte more', async () => {
    const largest = Buffer.alloc(uploadLimits.maxBytes, 'a');
    expect(await sendRaw([head(), largest, tail])).toBe(202);
    expect(await waiting()).toBe(1);
    await discard();
    expect(await sendRaw([head(), largest, 'a', tail])).toBe(413);
    expect(await waiting()).toBe(0);
  });

  it.each<[what: string, status: number, parts: readonly string[]]>([
    ['no final boundary', 400, [head(), 'abc']],
    ['an empty field name', 400, [head(''), 'abc', tail]],
    ['another field', 400, [head('other'), 'abc', tail]],
    ['no file', 400, [`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb`, tail]],
    ['a header that is cut off', 400, [`--${boundary}\r\nContent-Disp`]],
    ['no parts', 400, ['garbage']],
    ['an empty file', 400, [head(), '', tail]],
    [
      'a name that is not .zip in a form of another type',
      415,
      [head().replace('a.zip', 'a.txt').replace('/zip', '/x'), 'abc', tail],
    ],
  ])('refuses a form with %s and keeps nothing', async (_what, status, parts) => {
    expect(await sendRaw(parts)).toBe(status);
    expect(await waiting()).toBe(0);
  });

  it('keeps nothing of an upload that is broken off', async () => {
    const { sending, ended } = openRaw();
    sending.write(head());
    sending.write(Buffer.alloc(3_000_000));
    await eventually(async () => expect(await waiting()).toBe(1));
    sending.destroy();
    expect(await ended).toBe('closed');
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  it('answers 503 and keeps nothing when the database has no space left', async () => {
    const { tapedeck } = api.databases;
    await tapedeck.query(`
      create function disk_is_full() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert on strategy_upload_chunks for each row when (new.number > 0)
        execute function disk_is_full()`);
    expect((await api.send(Buffer.alloc(2_000_000, 'a'))).status).toBe(503);
    expect(await waiting()).toBe(0);
    await tapedeck.query('drop trigger full_disk on strategy_upload_chunks');
  });

  /** Sends so many bytes at intervals until there is an answer. */
  const sendSlowly = async (bytes: number, intervalMs: number): Promise<Slow> => {
    const { sending, ended } = openRaw(hurried);
    const startedAt = performance.now();
    sending.write(head());
    sending.write(Buffer.alloc(600_000));
    const timer = setInterval(() => sending.write(Buffer.alloc(bytes)), intervalMs);
    const status = await ended;
    clearInterval(timer);
    sending.destroy();
    return { status, afterMs: performance.now() - startedAt };
  };

  it('ends an upload of which hardly anything arrives, long before its time is over, and keeps nothing', async () => {
    const { status, afterMs } = await sendSlowly(1, 10);
    expect(status).toBe(408);
    expect(afterMs).toBeLessThan(timeouts.uploadMs * 0.9);
    await eventually(async () => expect(await waiting(hurried)).toBe(0));
  });

  it('ends an upload that takes too long in all, and keeps nothing', async () => {
    const { status, afterMs } = await sendSlowly(20_000, 5);
    expect(status).toBe(408);
    expect(afterMs).toBeGreaterThan(timeouts.uploadMs * 0.9);
    await eventually(async () => expect(await waiting(hurried)).toBe(0));
  });
});
