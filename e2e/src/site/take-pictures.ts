import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import { startProduct, temporaryFolder } from '@tapedeck/platform/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import sharp from 'sharp';
import { openPlace, places, type Persona, type Place } from './places.ts';

type Display = Readonly<{ width: number; height: number; theme: 'light' | 'dark' }>;

const displays: readonly Display[] = [
  { width: 1_440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
];
const others: readonly Display[] = [
  { width: 1_440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
];

/** A longer page is cut off there. */
const maxHeight = 1_800;
const maxBytes = 150_000;
const qualities = [72, 60, 45, 30];

const accounts: Readonly<Record<Exclude<Persona, 'visitor'>, string>> = {
  member: 'pro@tapedeck.example',
  support: 'support@tapedeck.example',
  admin: 'admin@tapedeck.example',
};

const signIn = async (page: Page, email: string): Promise<void> => {
  const query = new URLSearchParams({ login_hint: email, returnTo: '/' });
  await page.goto(`${identityRoutes.login}?${query}`);
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/api/'));
};

const tagsOf = (at: number): readonly string[] => [
  ...(at % 2 === 0 ? ['to test'] : []),
  ...(at % 3 === 0 ? ['crypto'] : []),
];

/** A member who has used the site. */
const addFavourites = async (page: Page, count: number): Promise<void> => {
  const headers = { origin: new URL(page.url()).origin };
  const answer = await page.request.get(`${explorerRoutes.filtered}?limit=${count}&sort_by=sharpe_ratio_all`);
  const { strategies } = StrategyList.parse(await answer.json());
  for (const [at, { url_id }] of strategies.entries()) {
    const data = { urlId: url_id, tags: tagsOf(at) };
    await page.request.post(favouriteRoutes.list, { headers, data });
  }
};

const openContext = async (browser: Browser, origin: string, persona: Persona): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' });
  if (persona === 'visitor') return context;
  const page = await context.newPage();
  await signIn(page, accounts[persona]);
  if (persona === 'member') await addFavourites(page, 12);
  await page.close();
  return context;
};

/** The best quality that fits. */
const compress = async (png: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(png).metadata();
  const shown = sharp(png).extract({ left: 0, top: 0, width, height: Math.min(height, maxHeight) });
  for (const quality of qualities) {
    const webp = await shown.clone().webp({ quality, effort: 6 }).toBuffer();
    if (webp.length <= maxBytes) return webp;
  }
  throw new Error(`A picture has more than ${maxBytes} bytes.`);
};

/** Images far down are loaded when they are near. */
const loadImages = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  });
};

const takePicture = async (context: BrowserContext, place: Place, display: Display): Promise<Buffer> => {
  const { width, height, theme } = display;
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  await openPlace(page, place);
  await loadImages(page);
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  return compress(png);
};

const takeAll = async (
  browser: Browser,
  origin: string,
  folder: string,
  wanted: readonly Display[],
): Promise<void> => {
  const contexts = new Map<Persona, BrowserContext>();
  for (const place of places) {
    const context = contexts.get(place.as) ?? (await openContext(browser, origin, place.as));
    contexts.set(place.as, context);
    for (const display of wanted) {
      const picture = await takePicture(context, place, display);
      const name = `${place.name}-${display.width}-${display.theme}.webp`;
      await writeFile(join(folder, name), picture);
      process.stdout.write(`  ${name} ${(picture.length / 1_000).toFixed(0)} KB\n`);
    }
  }
};

/** Opens every page of a product of its own and writes pictures of them. */
const main = async (): Promise<void> => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'screens');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const data = temporaryFolder();
  const product = await startProduct({ dataFolder: data.path, env: { DEMO_ACCOUNTS: 'yes' } });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    const wanted = process.argv.includes('--all') ? [...displays, ...others] : displays;
    await takeAll(browser, product.url, folder, wanted);
  } finally {
    await browser.close();
    await product.stop();
    data.remove();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
