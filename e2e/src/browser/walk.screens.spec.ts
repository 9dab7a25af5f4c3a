import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible, expectAccessibleInThemes } from './expect-accessible.ts';
import { layoutShiftOf, recordLayoutShift } from './layout-shift.ts';
import { signInAs } from './membership-screen.ts';
import { openPlace, places, type Persona } from '../site/places.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

const widths = [1_440, 1_024, 768, 390] as const;
const maxLayoutShift = 0.02;
/** Some chart images of the demo catalogue are missing. */
const missingCharts = /404 .*\/charts\/\w+\.svg$/;

const sessions = new Map<Persona, BrowserContextOptions>([['visitor', {}]]);

beforeAll(async () => {
  const accounts = { member: 'pro', support: 'support', admin: 'admin' } as const;
  for (const [persona, name] of Object.entries(accounts)) {
    const page = await environment.openPage('visitor');
    await signInAs(page, `${name}@tapedeck.example`);
    const { cookies } = await page.context().storageState();
    // `Object.entries` forgets the names.
    sessions.set(persona as keyof typeof accounts, { storageState: { cookies, origins: [] } });
  }
}, 120_000);

/** Every message of the console, of any kind. */
const recordMessages = (page: Page): readonly string[] => {
  const messages: string[] = [];
  page.on('console', (message) =>
    messages.push(`${message.type()}: ${message.text()} ${message.location().url}`),
  );
  return messages;
};

describe.each(places)('$name', (place) => {
  it('fits in every width and theme, is accessible, does not move while it loads, and says nothing in the console', async () => {
    const page = await environment.openPage('visitor', sessions.get(place.as));
    const messages = recordMessages(page);
    await recordLayoutShift(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await openPlace(page, place);
      const shift = await layoutShiftOf(page);
      expect({ width, shift, fits: shift <= maxLayoutShift }).toEqual({ width, shift, fits: true });
      await expectAccessibleInThemes(page, place.name);
    }
    await page.emulateMedia({ colorScheme: null, forcedColors: 'active' });
    await expectAccessible(page, `${place.name}, forced colours`);
    const unexpected = messages.filter(
      (text) => !missingCharts.test(text) && !place.expectedMessages?.test(text),
    );
    expect(unexpected).toEqual([]);
  }, 180_000);
});
