import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { boundary } from './calendar.ts';

const month = { interval: 'month', count: 1 };

describe('periods', () => {
  it('do not depend on the time zone of the machine, or on its changes to summer time', () => {
    const anchor = Date.parse('2026-10-24T23:30:00Z') / 1_000;
    const calendar = new URL('../../../dist/stripe/engine/calendar.js', import.meta.url).href;
    const script = `
      const { boundary } = await import('${calendar}');
      const times = [1, 2, 6].map((n) => boundary(${anchor}, { interval: 'month', count: 1 }, n));
      console.log(JSON.stringify([new Date(${anchor * 1_000}).getTimezoneOffset(), times]));`;
    const berlin = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    });
    expect(JSON.parse(berlin.stdout)).toEqual([-120, [1, 2, 6].map((n) => boundary(anchor, month, n))]);
    expect(new Date(boundary(anchor, month, 6) * 1_000).toISOString()).toBe('2027-04-24T23:30:00.000Z');
  });
});
