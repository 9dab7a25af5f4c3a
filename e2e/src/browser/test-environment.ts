import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { databaseUrl, startProduct, temporaryFolder } from '@tapedeck/platform/testing';
import { chromium, type Browser, type BrowserContextOptions, type Cookie, type Page } from 'playwright-core';
import { openCatalogue, type CatalogueSql } from './catalogue-sql.ts';
import { signIn } from './explorer-screen.ts';

export type TestEnvironment = Readonly<{
  /** For each test as if it were new: signed in, at a desktop's size, with empty storage. Paths are relative to the product. */
  page: Page;
  /** Another page with a session and storage of its own. */
  openPage: (user: 'member' | 'visitor', options?: BrowserContextOptions) => Promise<Page>;
  dataFolder: string;
  catalogue: CatalogueSql;
  /** The origin of the stand-ins for outside services. */
  sandbox: string;
  /** Empties all pages, so that none asks the product anything. */
  leaveProduct: () => Promise<void>;
}>;

export type TestEnvironmentOptions = Readonly<{
  /** Console messages that the tests of a file provoke. */
  expectedErrors?: RegExp;
  /**
   * `shared`: the one product of the run, with the whole demo catalogue. Its tests change only accounts of their own, and do
   * not move the clock. Strategies are imported by `explorer.e2e.spec.ts` alone: in `npm test` no other file counts them.
   */
  product?: 'own' | 'shared';
  /** How many strategies an own product has. */
  strategies?: number;
  /** Settings of an own product. */
  env?: Readonly<Record<string, string>>;
  /**
   * All tests of the file have the same page, which is emptied before each of them: it keeps the scripts that it has compiled, and
   * to load the product is three times as expensive in a new one.
   */
  reusesPage?: boolean;
  /** The browser keeps pages in memory for its button Back, as it does for people. */
  keepsPagesForBack?: boolean;
}>;

type Opened = Readonly<{
  url: string;
  browser: Browser;
  /** Signed in. */
  page: Page;
  cookies: readonly Cookie[];
  dataFolder: string;
  catalogue: CatalogueSql;
  close: () => Promise<void>;
}>;

const sandboxOf = (dataFolder: string): string => {
  const { ports } = JSON.parse(readFileSync(join(dataFolder, 'instance.json'), 'utf8')) as {
    ports: { sandbox: number };
  };
  return `http://127.0.0.1:${ports.sandbox}`;
};

type RunningProduct = Readonly<{ url: string; dataFolder: string; release: () => Promise<void> }>;

const startOwnProduct = async (
  strategies: number,
  settings: TestEnvironmentOptions['env'],
): Promise<RunningProduct> => {
  const folder = temporaryFolder();
  const env = { DEMO_ACCOUNTS: 'yes', DEMO_CATALOGUE: String(strategies), ...settings };
  const { url, dataFolder, stop } = await startProduct({ dataFolder: folder.path, env });
  const release = async (): Promise<void> => {
    await stop();
    folder.remove();
  };
  return { url, dataFolder, release };
};

/** The first test file that asks for it starts it; it stops with the run. */
const openSharedProduct = async (): Promise<RunningProduct> => {
  const answer = await fetch(String(process.env['TEST_PRODUCT_URL']));
  if (!answer.ok) throw new Error(await answer.text());
  const { url, dataFolder } = (await answer.json()) as Readonly<{ url: string; dataFolder: string }>;
  return { url, dataFolder, release: () => Promise.resolve() };
};

/** What Playwright disables, which a second list would enable again. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
// For the address bar, which is not shown, every context would render two pages more: half of what a page costs.
const disabledFeatures = [
  ...disabledByPlaywright,
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

const launchBrowser = (keepsPagesForBack: boolean): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    ignoreDefaultArgs: keepsPagesForBack ? ['--disable-back-forward-cache'] : [],
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      `--disable-features=${disabledFeatures.join(',')}`,
    ],
  });

const desktop = { width: 1_440, height: 900 };

const open = async (options: TestEnvironmentOptions): Promise<Opened> => {
  const { product: kind, strategies = 4_500, env, keepsPagesForBack = false } = options;
  const product = await (kind === 'shared' ? openSharedProduct() : startOwnProduct(strategies, env));
  const { url, dataFolder } = product;
  const catalogue = openCatalogue(databaseUrl(dataFolder, 'catalogue'));
  const browser = await launchBrowser(keepsPagesForBack);
  const context = await browser.newContext({ baseURL: url, viewport: desktop });
  const page = await context.newPage();
  await signIn(page);
  const cookies = await context.cookies();
  const close = async (): Promise<void> => {
    await browser.close();
    await catalogue.close();
    await product.release();
  };
  return { url, browser, page, cookies, dataFolder, catalogue, close };
};

/** Makes the page what a new one of the member would be. */
const renew = async (page: Page, cookies: readonly Cookie[]): Promise<void> => {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.mouse.move(0, 0);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  // A document of the product without scripts.
  await page.goto('/health/live');
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await context.clearCookies();
  await context.addCookies(cookies);
};

/** Some chart images are missing, which is no defect. */
const alwaysExpected = /the server responded with a status of 404/;

/**
 * Opens a product and a browser for the tests of a file. Each test has a page of its own, and fails if a page has
 * thrown an error or written one to its console.
 */
export const setUpTestEnvironment = (settings: TestEnvironmentOptions = {}): TestEnvironment => {
  let opening: Promise<Opened>;
  let opened: Opened | undefined;
  let page: Page | undefined;
  let pages: Page[] = [];
  let consoleErrors: string[] = [];

  const ready = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The test environment is ready only inside a test.');
    return value;
  };
  const openPages = (): readonly Page[] => pages.filter((each) => !each.isClosed());
  const recordError = (message: string): void => {
    if (!alwaysExpected.test(message) && !settings.expectedErrors?.test(message)) consoleErrors.push(message);
  };
  const watch = (watched: Page): void => {
    watched.setDefaultTimeout(30_000);
    watched.on('console', (message) => {
      if (message.type() === 'error') recordError(message.text());
    });
    watched.on('pageerror', (error) => recordError(error.message));
  };
  const openPage: TestEnvironment['openPage'] = async (user, options = {}) => {
    const { browser, url, cookies } = ready(opened);
    const context = await browser.newContext({
      baseURL: url,
      viewport: desktop,
      ...(user === 'member' ? { storageState: { cookies: [...cookies], origins: [] } } : {}),
      ...options,
    });
    const another = await context.newPage();
    watch(another);
    pages.push(another);
    return another;
  };

  beforeAll(async () => {
    opening = open(settings);
    opened = await opening;
  }, 180_000);
  afterAll(async () => (await opening).close(), 120_000);
  beforeEach(async () => {
    if (!settings.reusesPage) {
      page = await openPage('member');
      return;
    }
    ({ page } = ready(opened));
    await renew(page, ready(opened).cookies);
    watch(page);
  });
  afterEach(async () => {
    // An answer that a handler fetches would be lost with its page, as an error of this test or the next one.
    await Promise.all(openPages().map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
    const contexts = pages.map((each) => each.context());
    pages = [];
    if (settings.reusesPage) await ready(page).goto('about:blank');
    await Promise.all(contexts.map((each) => each.close()));
    const errors = consoleErrors;
    consoleErrors = [];
    expect(errors).toEqual([]);
  });
  return {
    get page() {
      return ready(page);
    },
    get dataFolder() {
      return ready(opened).dataFolder;
    },
    get catalogue() {
      return ready(opened).catalogue;
    },
    get sandbox() {
      return sandboxOf(ready(opened).dataFolder);
    },
    openPage,
    leaveProduct: async () => {
      await Promise.all(openPages().map((each) => each.goto('about:blank')));
    },
  };
};
