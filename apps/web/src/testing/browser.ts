import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

export type Watched = Readonly<{
  page: Page;
  /** Errors the page wrote to its console or threw; must be empty at the end. */
  complaints: readonly string[];
}>;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

/** Statuses that are answers and not defects: a visitor is told so by 401, some pictures are missing. */
const expected = /the server responded with a status of (401|404)/;

/** A page of its own session, at a desktop's size. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> => {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
};
