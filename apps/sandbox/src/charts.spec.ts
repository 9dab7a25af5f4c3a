import { describe, expect, it } from '@jest/globals';
import { chartPicture, hasPicture } from './charts.ts';

const ids = Array.from({ length: 4_000 }, (_, index) => `Ab${String(index).padStart(6, '0')}`);

describe('chartPicture', () => {
  it('is the same for the same id and differs for another', () => {
    expect(chartPicture('S3LKflwr')).toBe(chartPicture('S3LKflwr'));
    expect(chartPicture('S3LKflwr')).not.toBe(chartPicture('s3LKflwr'));
  });

  it('is small, and contains neither text nor invalid numbers', () => {
    for (const id of ids.slice(0, 200)) {
      const picture = chartPicture(id);
      expect(picture).toMatch(/^<svg [^>]+>.*<\/svg>\n$/s);
      expect(picture).not.toMatch(/NaN|Infinity|undefined|<text/);
      expect(picture.length).toBeLessThan(4_000);
    }
  });

  it('is missing for about 3 % of the ids', () => {
    const missing = ids.filter((id) => !hasPicture(id)).length / ids.length;
    expect(missing).toBeGreaterThan(0.02);
    expect(missing).toBeLessThan(0.04);
  });
});
