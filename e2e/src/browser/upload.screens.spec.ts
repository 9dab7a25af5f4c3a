import { describe, expect, it } from '@jest/globals';
import { writeZip } from '@tapedeck/strategies/testing';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { signInAs } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 20, expectedErrors: /status of 503|ERR_FAILED/ });

const strategies = 1_500;
const zip = writeZip(
  Array.from({ length: strategies }, (_, n) => ({
    name: `${n}.json`,
    data:
      n < 12 ? '{' : JSON.stringify({ url_id: `Scr${String(n).padStart(5, '0')}`, title: `Breakout ${n}` }),
  })),
);
const imported = '1,488';

const openUpload = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  await page.goto('/admin/upload');
  await expectShown(page.getByRole('heading', { level: 1, name: 'Strategy Upload' }));
  return page;
};
const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.getByLabel('ZIP file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** A button that is disabled can neither have the focus nor be pressed. */
const pressUpload = async (page: Page): Promise<void> => {
  await expectShown(button(page, 'Upload').and(page.locator(':enabled')));
  await button(page, 'Upload').focus();
  await page.keyboard.press('Enter');
};
const progress = (page: Page) => page.getByRole('progressbar', { name: 'Strategy Upload' });

describe('the upload of strategies', () => {
  it('imports a ZIP file by the keyboard alone, survives a reload, and says what was imported', async () => {
    const page = await openUpload();
    expect(await button(page, 'Upload').isDisabled()).toBe(true);
    await choose(page, 'november.zip', zip);
    await pressUpload(page);
    // Until the file has arrived, a reload breaks it off.
    await expectShown(page.getByRole('status').getByText(/^(Waiting|Extracting|Processing|Successfully)/));
    await page.reload();
    await expectShown(progress(page));
    await expectShown(button(page, 'Upload Another'));
    await expectShown(page.getByRole('status').getByText(`Successfully processed ${imported} strategies`));
    await expectShown(page.getByText('Showing last 10 of 12 errors'));
    expect(await progress(page).getAttribute('aria-valuenow')).toBe('100');
    const last = page.getByRole('region', { name: 'Last imports' }).getByRole('listitem').first();
    await expectShown(last.getByText(`${imported} added, 0 revised, 0 unchanged, 12 not imported`));
    await expectShown(last.getByText(/^admin@tapedeck\.example, /));
    await expectAccessibleEverywhere(page);

    await button(page, 'Upload Another').focus();
    await page.keyboard.press('Enter');
    await expectHidden(progress(page));
    await page.reload();
    await expectShown(page.getByText('Drop a ZIP file here'));
    await expectAccessibleEverywhere(page);
  }, 180_000);

  it('warns when nothing was imported and says why, and names what is in a file twice', async () => {
    const page = await openUpload();
    await choose(
      page,
      'broken.zip',
      writeZip(['a', 'b'].map((name) => ({ name: `${name}.json`, data: '{' }))),
    );
    await pressUpload(page);
    const why = /^Nothing was imported: all 2 entries were rejected\. The most frequent reason: \S/;
    await expectShown(page.getByRole('region', { name: 'Upload' }).getByRole('status').getByText(why));
    await expectShown(page.locator('.toast--warn', { hasText: 'Nothing Imported' }));
    const last = page.getByRole('region', { name: 'Last imports' }).getByRole('listitem').first();
    await expectShown(last.getByText('nothing imported', { exact: true }));
    await expectAccessibleEverywhere(page);
    await button(page, 'Upload Another').press('Enter');

    const entry = (name: string, title: string) => ({
      name,
      data: JSON.stringify({ url_id: 'Twice001', title }),
    });
    const twice = writeZip([entry('old.json', 'Old'), entry('new.json', 'New')]);
    await choose(page, 'twice.zip', twice);
    await expectShown(page.getByText(`${twice.length} bytes`));
    await pressUpload(page);
    await expectShown(page.getByText('twice.zip, '));
    await expectShown(page.getByText('1 strategy more than once in the file: the last entry counts'));
    await expectShown(page.getByText('new.json was imported, not old.json'));
    await expectAccessibleEverywhere(page);
    await button(page, 'Upload Another').press('Enter');
  }, 120_000);

  it('refuses a file that is no ZIP or too large before it is sent', async () => {
    const page = await openUpload();
    await choose(page, 'notes.txt', Buffer.from('text'));
    await expectShown(page.getByText('Please select a ZIP file containing strategy data.'));
    await choose(page, 'large.zip', Buffer.alloc(20 * 1024 * 1024 + 1));
    await expectShown(page.getByText('File size must be under 20MB.'));
    expect(await button(page, 'Upload').isDisabled()).toBe(true);
  }, 120_000);

  it('says why nothing was imported: a file that is no archive, and a server that refuses it or cannot be reached', async () => {
    const page = await openUpload();
    const uploadEndsWith = async (text: string): Promise<void> => {
      await choose(page, 'november.zip', Buffer.from('no archive'.repeat(9)));
      await button(page, 'Upload').click();
      await expectShown(page.getByRole('status').getByText(text));
      await expectHidden(page.getByText('These strategies stay in the catalogue'));
      await button(page, 'Upload Another').click();
    };
    await uploadEndsWith('This is not a ZIP file, or its end is cut off: send a whole .zip file.');
    const problem = { status: 503, detail: 'Free space on the disk, then send the file again.' };
    await page.route('**/process-strategies-polling', (route) =>
      route.fulfill({ status: 503, json: problem }),
    );
    await uploadEndsWith(`Upload failed: Service Unavailable. ${problem.detail}`);
    await page.route('**/process-strategies-polling', (route) => route.abort());
    await uploadEndsWith(
      'Upload failed. The server cannot be reached. Check the connection, then upload the file again.',
    );
  }, 120_000);

  it('is closed to support', async () => {
    const page = await environment.openPage('visitor');
    await signInAs(page, 'support@tapedeck.example');
    await page.goto('/admin/upload');
    await expectShown(page.getByRole('heading', { name: 'This page is for admins' }));
  }, 120_000);
});
