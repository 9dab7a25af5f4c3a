import type { Page } from 'playwright-core';

/** Records how much the content of the page moves by itself; to be called before it is opened. */
export const recordLayoutShift = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const record = { total: 0 };
    Object.assign(window, { layoutShift: record });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // The type of the entries, which the library of types does not know.
        const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) record.total += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
};

/** The sum of all shifts of the present document. */
export const layoutShiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    // The script above defines it.
    () => (window as unknown as { layoutShift: { total: number } }).layoutShift.total,
  );
