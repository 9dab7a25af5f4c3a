import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { databaseUrl, startProduct, temporaryFolder } from '@tapedeck/platform/testing';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { openCatalogue, type CatalogueSql } from './catalogue-sql.ts';
import { signIn } from './explorer-screen.ts';

export type TestEnvironment = Readonly<{
  /** Opened for each test: signed in, at a desktop's size, with empty storage. Paths are relative to the product. */
  page: Page;
  /** Another page with a session and storage of its own. */
  openPage: (user: 'member' | 'visitor', options?: BrowserContextOptions) => Promise<Page>;
  dataFolder: string;
  catalogue: CatalogueSql;
  /** The origin of the stand-ins for outside services. */
  sandbox: string;
}>;

export type TestEnvironmentOptions = Readonly<{
  /** Console messages that the tests of a file provoke. */
  expectedErrors?: RegExp;
  /**
   * `shared`: the one product of the run, with the whole demo catalogue. Its tests change only accounts of their own:
   * they import nothing and do not move the clock.
   */
  product?: 'own' | 'shared';
  /** How many strategies an own product has. */
  strategies?: number;
}>;

type Opened = Readonly<{
  url: string;
  browser: Browser;
  member: BrowserContextOptions;
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

const startOwnProduct = async (strategies: number): Promise<RunningProduct> => {
  const folder = temporaryFolder();
  const env = { DEMO_ACCOUNTS: 'yes', DEMO_CATALOGUE: String(strategies) };
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
const disabledFeatures = [...disabledByPlaywright, 'WebUIOmniboxPopup', 'SpareRendererForSitePerProcess'];

const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      `--disable-features=${disabledFeatures.join(',')}`,
    ],
  });

const open = async ({ product: kind, strategies = 4_500 }: TestEnvironmentOptions): Promise<Opened> => {
  const product = await (kind === 'shared' ? openSharedProduct() : startOwnProduct(strategies));
  const { url, dataFolder } = product;
  const catalogue = openCatalogue(databaseUrl(dataFolder, 'catalogue'));
  const browser = await launchBrowser();
  const context = await browser.newContext({ baseURL: url });
  await signIn(await context.newPage());
  const cookies = await context.cookies();
  await context.close();
  const close = async (): Promise<void> => {
    await browser.close();
    await catalogue.close();
    await product.release();
  };
  const member = { storageState: { cookies, origins: [] } };
  return { url, browser, member, dataFolder, catalogue, close };
};

/** A visitor's requests are answered by 401, and some chart images are missing: both are no defects. */
const alwaysExpected = /the server responded with a status of (401|404)/;

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
  const recordError = (message: string): void => {
    if (!alwaysExpected.test(message) && !settings.expectedErrors?.test(message)) consoleErrors.push(message);
  };
  const openPage: TestEnvironment['openPage'] = async (user, options = {}) => {
    const { browser, url, member } = ready(opened);
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1_440, height: 900 },
      ...(user === 'member' ? member : {}),
      ...options,
    });
    const another = await context.newPage();
    another.setDefaultTimeout(30_000);
    another.on('console', (message) => {
      if (message.type() === 'error') recordError(message.text());
    });
    another.on('pageerror', (error) => recordError(error.message));
    pages.push(another);
    return another;
  };

  beforeAll(async () => {
    opening = open(settings);
    opened = await opening;
  }, 180_000);
  afterAll(async () => (await opening).close(), 120_000);
  beforeEach(async () => {
    page = await openPage('member');
  });
  afterEach(async () => {
    await Promise.all(pages.map((each) => each.context().close()));
    const errors = consoleErrors;
    [pages, consoleErrors] = [[], []];
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
  };
};
