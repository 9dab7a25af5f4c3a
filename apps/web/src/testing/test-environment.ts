import { startProduct, temporaryFolder } from '@tapedeck/platform/testing';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage, type Watched } from './browser.ts';
import { openCatalogue, type CatalogueSql } from './catalogue-sql.ts';
import { signIn } from './explorer-screen.ts';

/** A product of its own, a browser, and somebody signed in. */
export type Stage = Watched &
  Readonly<{ url: string; browser: Browser; catalogue: CatalogueSql; close: () => Promise<void> }>;

export const openStage = async (): Promise<Stage> => {
  const folder = temporaryFolder();
  const product = await startProduct({ dataFolder: folder.path });
  const catalogue = openCatalogue(product.databaseUrl('catalogue'));
  const browser = await openBrowser();
  const watched = await openPage(browser);
  await signIn(watched.page, product.url);
  const close = async (): Promise<void> => {
    await browser.close();
    await catalogue.close();
    await product.stop();
    folder.remove();
  };
  return { ...watched, url: product.url, browser, catalogue, close };
};
