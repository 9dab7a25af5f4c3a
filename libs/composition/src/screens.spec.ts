import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { screens } from './screens.ts';

it('are the addresses that the web client routes', () => {
  const router = readFileSync(new URL('../../../apps/web/src/app/router.tsx', import.meta.url), 'utf8');
  const routed = [...router.matchAll(/'(\/[^']*)'/g)].flatMap(([, path = '']) => path);
  expect(routed.toSorted()).toEqual([...screens].toSorted());
});
