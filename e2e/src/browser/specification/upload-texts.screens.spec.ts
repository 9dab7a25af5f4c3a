import { describe, expect, it } from '@jest/globals';
import { strategyRoutes, type ImportStatus } from '@tapedeck/strategies/contract';
import type { Page, Request, Route } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { dueTasksDone, expectAllTexts, expectToastAfter } from './catalogue-screen.ts';
import { stopClock } from './stopped-clock.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';
import { answerLater } from './held-answers.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /status of 503|ERR_FAILED/,
});

const uploads = `**${strategyRoutes.upload}`;
const statuses = `**${strategyRoutes.importStatus('*')}`;
const maxBytes = 20 * 1024 * 1024;

const statusOf = (status: Partial<ImportStatus>): ImportStatus => ({
  phase: 'processing',
  message: '',
  processed: 0,
  total: 0,
  currentStrategy: null,
  errors: [],
  errorCount: 0,
  imported: null,
  duplicates: [],
  duplicateCount: 0,
  file: null,
  ...status,
});
/** Newest first. */
const errors = Array.from({ length: 12 }, (_, at) => ({ strategy: `${12 - at}.json`, error: 'not JSON' }));
const imported = { added: 80, revised: 4, unchanged: 6, rejected: 12 };

const openUpload = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  await page.clock.install();
  await page.goto('/admin/upload');
  await expectShown(page.getByLabel('ZIP file'));
  return page;
};

/** Chooses a file that only the page has, of so many zeros. */
const choose = (page: Page, name: string, type: string, bytes: number): Promise<void> =>
  page.getByLabel('ZIP file').evaluate(
    (input: HTMLInputElement, file) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { name, type, bytes },
  );

type WindowOfTest = Window & Readonly<{ sendTimes: number[] }>;

/** From now on records when, by its clock, the page sends requests to this path; the returned function says when. */
const recordSendTimes = async (page: Page, path: string): Promise<() => Promise<readonly number[]>> => {
  await page.evaluate((recorded) => {
    const { fetch } = window;
    const sendTimes: number[] = [];
    const recordingFetch = (url: string, init?: RequestInit): Promise<Response> => {
      if (url.includes(recorded)) sendTimes.push(Date.now());
      return fetch(url, init);
    };
    Object.assign(window, { sendTimes, fetch: recordingFetch });
  }, path);
  return () =>
    page.evaluate(
      () => (window as unknown as WindowOfTest).sendTimes, // The script above defines it.
    );
};

describe('the upload of strategies', () => {
  it('says how far it is, and how it ends', async () => {
    const page = await openUpload();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const progress = page.getByRole('progressbar', { name: 'Strategy Upload' });
    const expectProgress = (percent: number): Promise<void> =>
      expectShown(progress.and(page.locator(`[aria-valuenow="${percent}"]`)));
    const message = page.getByRole('region', { name: 'Upload', exact: true }).getByRole('status');
    const expectIdle = async (): Promise<void> => {
      await expectTexts(page, 'Drop a ZIP file here');
      await expectHidden(progress);
      expect(await button('Upload').isDisabled()).toBe(true);
    };
    let status = statusOf({});
    await page.route(statuses, (route) => route.fulfill({ json: status }));
    let jobs = 0;
    // Of an import that it knows already, the page would show the last status first.
    const accept = (route: Route): Promise<void> => route.fulfill({ json: { jobId: `november-${++jobs}` } });
    await page.route(uploads, accept);
    /** Uploads a file whose import is answered with this. */
    const upload = (next: Partial<ImportStatus>) => async (): Promise<void> => {
      status = statusOf(next);
      await choose(page, 'november.zip', 'application/zip', 10);
      await button('Upload').click();
    };
    const stepMs = 10;
    /** Lets the stopped clock run until something is so. */
    const passUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
      for (let passedMs = 0; passedMs < 10_000; passedMs += stepMs) {
        await dueTasksDone(page);
        if (await isSo()) return;
        await page.clock.runFor(stepMs);
      }
      throw new Error('Ten seconds have passed.');
    };
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const loseStatus = async (route: Route): Promise<void> => {
      await lost;
      await route.abort();
    };
    let sent: Promise<Request> | undefined;
    let release = async (): Promise<void> => undefined;
    await checkRows('strategy upload', {
      'without a file Upload cannot be pressed, and there is no progress': expectIdle,
      'Invalid File Type: Please select a ZIP file containing strategy data.': () =>
        expectToastAfter(
          page,
          () => choose(page, 'notes.txt', 'text/plain', 10),
          'Invalid File Type',
          'Please select a ZIP file containing strategy data.',
        ),
      'a file of more than 20 MB is refused: File Too Large: File size must be under 20MB.': async () => {
        await expectToastAfter(
          page,
          () => choose(page, 'large.zip', 'application/zip', maxBytes + 1),
          'File Too Large',
          'File size must be under 20MB.',
        );
        await expectIdle();
      },
      'a file of 20 MB is accepted': async () => {
        await choose(page, 'large.zip', 'application/zip', maxBytes);
        await expectShown(page.locator('.drop-name', { hasText: 'large.zip 20.0 MB' }));
      },
      'a file is a ZIP by its type or by its name': async () => {
        for (const [name, type] of [
          ['strategies.bin', 'application/zip'],
          ['STRATEGIES.ZIP', 'application/octet-stream'],
        ] as const) {
          await choose(page, name, type, 10);
          await expectShown(page.locator('.drop-name', { hasText: name }));
          expect(await button('Upload').isEnabled()).toBe(true);
        }
      },
      'Remove takes the chosen file back': async () => {
        await button('Remove').click();
        await expectIdle();
      },
      'while it is uploaded the progress is 10 %': async () => {
        release = await answerLater(page, uploads, 200, { jobId: 'november' });
        sent = page.waitForRequest(uploads);
        await upload({ phase: 'extracting', message: 'Extracting the archive' })();
        await sent;
        await expectProgress(10);
      },
      'meanwhile neither Upload nor Remove can be pressed': async () => {
        expect(await button('Processing...').isDisabled()).toBe(true);
        expect(await button('Remove').isDisabled()).toBe(true);
      },
      'the file is sent as zipFile of a form': async () =>
        expect((await sent)?.postData()).toContain('name="zipFile"; filename="november.zip"'),
      'while it is extracted the progress is 20 %': async () => {
        await release();
        await expectProgress(20);
        await expectShown(message.getByText('Extracting the archive'));
      },
      'the status is requested every 500 ms': async () => {
        const sendTimes = await recordSendTimes(page, strategyRoutes.importStatus(''));
        await stopClock(page);
        for (const currentStrategy of ['1.json', '2.json']) {
          status = statusOf({ phase: 'extracting', message: 'Extracting the archive', currentStrategy });
          await passUntil(async () => (await page.getByText(currentStrategy).count()) > 0);
          const shownAt = await page.evaluate(() => Date.now());
          const before = (await sendTimes()).length;
          await passUntil(async () => (await sendTimes()).length > before);
          const sentAt = (await sendTimes())[before] ?? 0;
          expect(Math.abs(sentAt - shownAt - 500)).toBeLessThanOrEqual(stepMs);
        }
      },
      'the progress is 20 and 70 times the share of processed strategies: 55 % at 50 of 100': async () => {
        status = statusOf({
          message: 'Processing 50 of 100',
          processed: 50,
          total: 100,
          currentStrategy: 'Breakout',
        });
        await page.clock.resume();
        await expectProgress(55);
      },
      'the message and the current strategy are shown': () =>
        expectTexts(page, 'Processing 50 of 100', 'Breakout'),
      'a reload goes on with reconnecting, at 5 %': async () => {
        await page.route(statuses, loseStatus);
        await page.reload();
        await expectProgress(5);
        await expectShown(message.getByText(/^Reconnecting/));
      },
      'a failed request says: Connection lost during upload..., at 100 %': async () => {
        lose();
        await expectShown(message.getByText(/^Connection lost during upload\.\.\./));
        await expectProgress(100);
      },
      'it goes on with the next answer': async () => {
        await page.unroute(statuses, loseStatus);
        await page.clock.runFor(30_000);
        await expectProgress(55);
      },
      'an end in an error is a toast: Upload Error, and the message': async () => {
        const end = async (): Promise<void> => {
          status = statusOf({ phase: 'error', message: 'The archive is broken.' });
        };
        await expectToastAfter(page, end, 'Upload Error', 'The archive is broken.');
        await expectProgress(100);
      },
      'an error without a message says: Processing failed': async () => {
        await button('Upload Another').click();
        await expectToastAfter(
          page,
          upload({ phase: 'error', message: '' }),
          'Upload Error',
          'Processing failed',
        );
      },
      'Upload Complete: Successfully processed 90 strategies, at 100 %': async () => {
        await button('Upload Another').click();
        const text = 'Successfully processed 90 strategies';
        const end = upload({
          phase: 'complete',
          message: text,
          imported,
          errors,
          errorCount: errors.length,
        });
        await expectToastAfter(page, end, 'Upload Complete', text);
        await expectProgress(100);
      },
      'the last 10 errors are shown, the newest first, with: Showing last 10 of 12 errors': async () => {
        await expectAllTexts(
          page.locator('.upload-errors li .mono'),
          errors.slice(0, 10).map(({ strategy }) => strategy),
        );
        await expectTexts(page, 'Showing last 10 of 12 errors');
      },
      'Upload Another begins again, and nothing is left of the upload': async () => {
        await button('Upload Another').click();
        await expectIdle();
        expect(await page.evaluate(() => localStorage.getItem('tapedeck.upload'))).toBeNull();
      },
      'an upload that is not known any more may have completed during a restart': async () => {
        const stop = await answerWith(page, statuses, 404, {});
        await upload({})();
        await expectShown(message.getByText(/may have completed during a restart/));
        await expectProgress(100);
        await stop();
      },
      'Remove begins again too': async () => {
        await button('Remove').click();
        await expectIdle();
      },
      'an upload that is refused says: Upload failed: and the status text, as the toast Upload Failed':
        async () => {
          const stop = await answerWith(page, uploads, 503, {});
          await expectToastAfter(page, upload({}), 'Upload Failed', 'Upload failed: Service Unavailable');
          await expectShown(message.getByText(/^Upload failed: Service Unavailable/));
          await stop();
        },
    });
  }, 180_000);
});
