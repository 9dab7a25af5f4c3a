import { describe, expect, it } from '@jest/globals';
import { runTorture } from './torture.ts';

const faults = 8;
const timeoutMs = 300_000;

describe('the product while parts of it are broken', () => {
  it(
    'loses and repeats no change, and its read models and engines equal a rebuild',
    async () => {
      const seed = Date.now() % 1_000_000_000;
      process.stdout.write(`torture seed ${seed}, without Elasticsearch\n`);
      const report = await runTorture({
        faults,
        seed,
        withElasticsearch: false,
        withSmallDisk: false,
        say: () => {},
      });
      expect(report.problems).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(0);
      expect(Object.values(report.injected).reduce((sum, count) => sum + count, 0)).toBe(faults);
    },
    timeoutMs,
  );
});
