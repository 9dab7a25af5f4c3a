import { describe, expect, it } from '@jest/globals';
import { freePort } from '@tapedeck/platform/testing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { startTestApi } from './testing/test-api.ts';
import {
  loginUrl,
  signedInBrowser,
  signIn,
  startProvider,
  visitUntilCallback,
} from './testing/test-sign-in.ts';

const expectUnavailable = async (answer: Response): Promise<void> => {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
};

describe('the API while the sign-in provider is unavailable', () => {
  it('starts, answers sign-ins with 503, and signs in once the provider answers', async () => {
    const [port, providerPort] = [await freePort(), await freePort()];
    const api = await startTestApi(port, `http://127.0.0.1:${providerPort}`);
    await expectUnavailable(await fetch(loginUrl(api.origin, { login_hint: 'early@example.com' })));
    await expectUnavailable(await fetch(loginUrl(api.origin, {})));
    const page = await fetch(loginUrl(api.origin, {}), { headers: { accept: 'text/html' } });
    expect(page.status).toBe(503);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await page.text()).toContain('does not answer at the moment');
    const provider = await startProvider(port, providerPort);
    expect(await signIn(createBrowser(), api.origin, 'early@example.com', '/strategies')).toBe('/strategies');
    await api.close();
    await provider.remove();
  });

  it('keeps the pending sign-in, so that the callback can be sent again', async () => {
    const port = await freePort();
    const provider = await startProvider(port);
    const api = await startTestApi(port, provider.issuer);
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, api.origin, { login_hint: 'middle@example.com' });
    await provider.remove();
    await expectUnavailable(await browser.request(callback.href));
    const restarted = await startProvider(port, provider.port);
    // The restarted provider does not know the code; its refusal proves that the API sent the code again.
    const answer = await browser.request(callback.href);
    expect(await answer.json()).toMatchObject({ code: 'SIGN_IN_FAILED' });
    await api.close();
    await restarted.remove();
  });

  it('signs out', async () => {
    const port = await freePort();
    const provider = await startProvider(port);
    const api = await startTestApi(port, provider.issuer);
    const browser = await signedInBrowser(api.origin, 'alone@example.com');
    await provider.remove();
    const answer = await browser.request(`${api.origin}/api/logout`);
    expect(answer.status).toBe(303);
    expect(browser.cookieHeader(api.origin)).toBe('');
    await api.close();
  });
});
