import { chromium } from 'playwright-core';

/** What a short script does: a browser for each picture, without limits. */
export const captureNaively = async (executablePath: string, pageUrl: string): Promise<Buffer> => {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    const page = await browser.newPage({ deviceScaleFactor: 2 });
    await page.goto(pageUrl, { waitUntil: 'networkidle' });
    return await page.locator('[data-chart="performance"]').screenshot();
  } finally {
    await browser.close();
  }
};
