import { expect, it } from '@jest/globals';
import { expectShown } from './explorer-screen.ts';
import { signInAs } from './membership-screen.ts';
import type { TestEnvironment } from './test-environment.ts';

const screens = [
  'Members',
  'Replays',
  'Parked events',
  'Queues',
  'Figures',
  'Prices',
  'Projections',
  'SQL Console',
  'Strategy Upload',
] as const;
const forAdmins: readonly string[] = ['Figures', 'Prices', 'Projections', 'SQL Console', 'Strategy Upload'];

/** Each of these screens has tests of its own in `*.screens.spec.ts`. */
export const describeAdminScreens = (environment: TestEnvironment): void => {
  it.each(['admin', 'support'] as const)(
    'are those that the role %s may use, and all open',
    async (role) => {
      const page = await environment.openPage('visitor');
      await signInAs(page, `${role}@tapedeck.example`);
      await page.goto('/admin/members');
      const sections = page.getByRole('navigation', { name: 'Admin' }).getByRole('link');
      const usable = screens.filter((name) => role === 'admin' || !forAdmins.includes(name));
      for (const name of usable) {
        await sections.filter({ hasText: name }).click();
        await expectShown(page.getByRole('heading', { level: 1, name }));
      }
      expect(await sections.allTextContents()).toEqual(usable);
    },
    120_000,
  );
};
