import { afterEach, describe, expect, it } from '@jest/globals';
import { sendRequest, type SendOptions, type Sent } from './request.ts';

const early = (answers: Readonly<Record<string, Promise<Response>>>): void => {
  Object.assign(globalThis, { earlyAnswers: { ...answers } });
};

const send = (url: string, options?: SendOptions): Promise<Sent> =>
  sendRequest({ url }, { record: () => undefined, ...options });

const refused = (): Promise<Response> => Promise.reject(new Error('The network is gone.'));
const { fetch } = globalThis;

describe('an answer that was asked for before the scripts were there', () => {
  afterEach(() => {
    Object.assign(globalThis, { earlyAnswers: undefined, fetch });
  });

  it('is that of the first request of its address, and of no other', async () => {
    early({ '/api/config': Promise.resolve(Response.json({ isEarly: true })) });
    globalThis.fetch = () => Promise.resolve(Response.json({ isEarly: false }));
    const answers = [];
    for (const url of ['/api/auth/session', '/api/config', '/api/config']) {
      answers.push((await send(url)).answer.data);
    }
    expect(answers).toEqual([{ isEarly: false }, { isEarly: true }, { isEarly: false }]);
  });

  it('fails like every request, and is then asked for again', async () => {
    const answer = refused();
    answer.catch(() => undefined);
    early({ '/api/config': answer });
    globalThis.fetch = () => Promise.resolve(Response.json({}));
    expect((await send('/api/config')).answer.error).toMatchObject({ status: 'network' });
    expect((await send('/api/config')).answer.error).toBeUndefined();
  });

  it('is not waited for after the request was aborted, or for longer than its limit', async () => {
    const never = (): Promise<Response> => new Promise(() => undefined);
    early({ '/one': never(), '/two': never(), '/three': never() });
    const aborted = new AbortController();
    const pending = send('/one', { signal: aborted.signal });
    aborted.abort();
    expect((await pending).response).toBeNull();
    expect((await send('/two', { signal: AbortSignal.abort() })).response).toBeNull();
    expect((await send('/three', { timeoutMs: 1 })).response).toBeNull();
  });
});
