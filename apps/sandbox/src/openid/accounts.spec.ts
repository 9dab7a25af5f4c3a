import { describe, expect, it } from '@jest/globals';
import { accountOf, emailOf } from './accounts.ts';
import { personas } from '../contract.ts';

describe('emailOf', () => {
  it.each(['someone@example.com', "o'brien+tag@mail.example.co", 'Jürgen@bücher.example'])(
    'accepts %s',
    (text) => {
      expect(emailOf(text)).toBe(text.toLowerCase());
    },
  );

  it.each([
    '',
    'nobody',
    '@example.com',
    'a@b',
    'a b@example.com',
    'a@example.com\r\nset-cookie: x=1',
    'a@example.com\u0000',
    '<script>alert(1)</script>@example.com',
    '"a"@example.com',
    'a@-example.com',
    'a@example..com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(260)}.com`,
  ])('refuses %j', (text) => {
    expect(emailOf(text)).toBeUndefined();
  });
});

describe('accountOf', () => {
  it('gives the same account for different spellings of an address', () => {
    expect(accountOf(emailOf(' Jane.Doe@Example.com ') ?? '')).toEqual(accountOf('jane.doe@example.com'));
    expect(accountOf('jane.doe@example.com')).toMatchObject({
      email: 'jane.doe@example.com',
      firstName: 'Jane',
      lastName: 'Doe',
    });
    expect(accountOf('jane.doe@example.com').sub).not.toBe(accountOf('john.doe@example.com').sub);
  });

  it('makes a name from any address', () => {
    expect(accountOf('1234@example.com')).toMatchObject({ firstName: 'Guest', lastName: expect.any(String) });
    expect(accountOf('someone@example.com').firstName).toBe('Someone');
  });

  it('keeps the subject of an address in every release', () => {
    expect(accountOf('free@tapedeck.example').sub).toBe('ff7d356dd81c97a6e0485e09d1cd9135');
  });

  it.each(personas)(
    'takes the name of the persona $label from the contract',
    ({ email, firstName, lastName }) => {
      expect(accountOf(email)).toMatchObject({ firstName, lastName });
    },
  );
});
