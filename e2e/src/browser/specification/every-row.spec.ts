import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { rows } from './rows.ts';

const checked = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.screens.spec.ts'))
  .flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    return [...text.matchAll(/checkRows\('([^']+)'/g)].map(([, area]) => area);
  });

describe('the table of what the screens promise', () => {
  const all = Object.values(rows).flat();

  it('has at least 180 rows, each once, and a test for every part of it', () => {
    process.stdout.write(`${all.length} rows of the specification are checked on the running product\n`);
    expect(all.length).toBeGreaterThanOrEqual(180);
    expect(new Set(checked)).toEqual(new Set(Object.keys(rows)));
    for (const part of Object.values(rows)) expect(new Set(part).size).toBe(part.length);
  });
});
