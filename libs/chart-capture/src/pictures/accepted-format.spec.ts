import { describe, expect, it } from '@jest/globals';
import { acceptedFormat } from './accepted-format.ts';

describe('acceptedFormat', () => {
  it.each([
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['IMAGE/AVIF;q=0.1', 'avif'],
    ['image/avif;q=0, image/webp', 'webp'],
    ['image/avif;q=x', 'png'],
    ['image/png,image/*;q=0.5', 'png'],
    ['*/*', 'png'],
    ['text/html', 'png'],
    ['', 'png'],
    [undefined, 'png'],
    [`${'x/y,'.repeat(2_000)}image/avif`, 'png'],
  ])('of "%s" is %s', (accept, format) => {
    expect(acceptedFormat(accept)).toBe(format);
  });
});
