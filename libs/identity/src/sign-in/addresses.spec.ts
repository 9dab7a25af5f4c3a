import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeReturnPath } from './addresses.ts';

describe('safeReturnPath', () => {
  it.each([
    '/',
    '/strategies?search=MACD&min_likes=3',
    '/strategy/S3LKflwr#code',
    '/?section=my-account',
    '/strategies?next=//evil.example',
  ])('keeps %s', (path) => expect(safeReturnPath(path)).toBe(path));

  it('encodes characters that a header cannot contain', () => {
    expect(safeReturnPath('/strategies?search=größe')).toBe('/strategies?search=gr%C3%B6%C3%9Fe');
  });

  it.each([
    undefined,
    ['/strategies', '/x'],
    '',
    'strategies',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '/ok\r\nset-cookie: a=b',
    ' //evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/strategies\\..\\..\\evil',
    '/api/logout',
    '/api/login?login_hint=other@example.com',
    '/x/../api/logout',
    '/%61pi/logout',
    '/%ff',
  ])('replaces %j by the front page', (path) => expect(safeReturnPath(path)).toBe('/'));

  it('replaces a path of more than 2,000 characters by the front page', () => {
    expect(safeReturnPath(`/${'x'.repeat(2_001)}`)).toBe('/');
  });

  it('never leads to another origin', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'http:',
      ' ',
      '\u0000',
      'ä',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 12 }).map((list) => `/${list.join('')}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const path = safeReturnPath(text);
        const stays = (origin: string): boolean =>
          new URL(path, `${origin}/api/login/callback`).origin === origin;
        return (
          stays('http://localhost:4000') &&
          stays('https://tapedeck.example') &&
          /^\/(?!\/)[\x21-\x7e]*$/.test(path)
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
