import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { code, longScript, openStrategy, viewer } from './strategy-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /ERR_FAILED/ });
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const pineScript = [
  '// This Pine Script™ code is subject to the terms of the Mozilla Public License 2.0',
  '// © somebody',
  '//@version=4',
  'study("</script><b>Mean</b>")',
  'plot(sma(close, 9), color=color.red)',
].join('\n');

const marked = (): Promise<readonly string[]> => code(page).locator('.cm-line.cm-marked').allInnerTexts();
const colourOf = (text: string): Promise<string> =>
  viewer(page)
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => getComputedStyle(element).color);
/** What a colour of the theme is. */
const themed = (name: string): Promise<string> =>
  page.evaluate((variable) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${variable})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
/** The code is coloured in the time that the page has left. */
const expectColour = (text: string, name: string): Promise<void> =>
  eventually(async () => expect(await colourOf(text)).toBe(await themed(name)));
const showCode = (): Promise<void> => code(page).scrollIntoViewIfNeeded();

describe('the source code of a strategy', () => {
  it('has its licence, the colours of its own version and no markup of its own', async () => {
    await openStrategy(page, { pineScript, pineVersion: 4 });
    await showCode();
    await expectShown(viewer(page));
    await expectShown(code(page).getByRole('heading', { name: 'Pine Script v4' }));
    await expectShown(code(page).getByText('5 lines', { exact: true }));
    expect((await viewer(page).innerText()).split('\n').slice(0, 2)).toEqual(
      pineScript.split('\n').slice(0, 2),
    );
    expect(await viewer(page).locator('b, script').count()).toBe(0);
    await expectColour('//@version=4', '--code-meta');
    await expectColour('sma', '--code-fn');
    await expectColour('"</script><b>Mean</b>"', '--code-str');
    await expectColour('color.red', '--code-fn');
    await expectColour('9', '--code-num');
  });

  it('can be read before the viewer is there, and without it', async () => {
    await page.route('**/assets/pine-viewer-*.js', (route) => route.abort());
    await openStrategy(page, { pineScript });
    const plain = code(page).getByRole('region', { name: /^Pine Script/ });
    await expectShown(plain);
    expect(await plain.locator('code').innerText()).toBe(pineScript);
    expect(await plain.locator('.code-numbers').innerText()).toBe('1\n2\n3\n4\n5');
  });

  it('marks the line whose number is clicked, with Shift all up to it, and puts them into the address', async () => {
    await openStrategy(page, { pineScript });
    await showCode();
    const number = (line: number) =>
      code(page).locator('.cm-lineNumbers .cm-gutterElement', { hasText: new RegExp(`^${line}$`) });
    await number(2).click();
    await page.waitForURL(/#L2$/);
    // The address changes before the viewer does.
    await eventually(async () => expect(await marked()).toEqual(pineScript.split('\n').slice(1, 2)));
    await number(4).click({ modifiers: ['Shift'] });
    await page.waitForURL(/#L2-L4$/);
    await eventually(async () => expect(await marked()).toEqual(pineScript.split('\n').slice(1, 4)));
    await page.getByRole('button', { name: 'Unmark the lines' }).click();
    await page.waitForURL((url) => url.hash === '');
    await eventually(async () => expect(await marked()).toEqual([]));
  });

  it('goes to lines by the keyboard, and says which there are', async () => {
    await openStrategy(page, { pineScript });
    await showCode();
    await expectShown(viewer(page));
    const field = page.getByLabel('Go to line');
    await field.focus();
    await page.keyboard.type('9\n');
    await expectShown(code(page).getByText('1 to 5', { exact: true }));
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('4-5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#L4-L5$/);
    await eventually(async () => expect(await marked()).toHaveLength(2));
    expect(await field.inputValue()).toBe('4–5');
  });

  it('opens at the lines of a link, however far down they are', async () => {
    await openStrategy(page, { pineScript: longScript(5_000) }, '#L4710-L4712');
    const line = code(page).locator('.cm-line', { hasText: '"Line 4710"' });
    await expectShown(line);
    await expect(line.evaluate((element) => element.classList.contains('cm-marked'))).resolves.toBe(true);
    await eventually(async () => {
      const box = await line.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(900);
    });
  });

  it('finds a text in 5,000 lines, of which only those on the screen are in the document', async () => {
    await openStrategy(page, { pineScript: longScript(5_000) });
    await showCode();
    await expectShown(viewer(page));
    await viewer(page).press('Control+f');
    const field = page.getByLabel('Find in code');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('line 25');
    await expectShown(code(page).getByText('1 of 11', { exact: true }));
    await page.keyboard.press('Enter');
    await expectShown(code(page).getByText('2 of 11', { exact: true }));
    await expectShown(code(page).locator('.cm-match--current', { hasText: 'Line 25' }));
    await expectShown(code(page).locator('.cm-line', { hasText: '"Line 2500"' }));
    await page.keyboard.press('Shift+Enter');
    await expectShown(code(page).getByText('1 of 11', { exact: true }));
    expect(await code(page).locator('.cm-line').count()).toBeLessThan(300);
    await field.fill('nowhere');
    await expectShown(code(page).getByText('Not found', { exact: true }));
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(await code(page).locator('.cm-match').count()).toBe(0);
  });

  it('is copied as it is, and the button says so', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openStrategy(page, { pineScript: `${pineScript}\r\n` });
    // It says so for two seconds.
    await Promise.all([
      expectShown(code(page).getByRole('button', { name: 'Copied' })),
      code(page).getByRole('button', { name: 'Copy' }).click(),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${pineScript}\r\n`);
    await expectShown(code(page).getByRole('button', { name: 'Copy', exact: true }));
  });

  it('wraps long lines', async () => {
    await openStrategy(page, { pineScript: `x = "${'word '.repeat(200)}"` });
    await showCode();
    await expectShown(viewer(page));
    const height = async (): Promise<number> => (await viewer(page).boundingBox())?.height ?? 0;
    const before = await height();
    await code(page).getByRole('button', { name: 'Wrap' }).click();
    await expectShown(code(page).locator('.cm-lineWrapping'));
    await eventually(async () => expect(await height()).toBeGreaterThan(2 * before));
  });
});
