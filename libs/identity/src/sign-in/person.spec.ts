import { describe, expect, it } from '@jest/globals';
import { mergedClaims, personOf } from './person.ts';

const jane = {
  sub: 'b42f',
  email: 'jane@example.com',
  email_verified: true,
  given_name: 'Jane',
  family_name: 'Doe',
  picture: 'https://example.com/jane.png',
};

describe('personOf', () => {
  it('takes the known claims', () => {
    expect(personOf({ ...jane, iss: 'https://provider.example', extra: { a: 1 } })).toEqual({
      subject: 'b42f',
      email: 'jane@example.com',
      emailVerified: true,
      firstName: 'Jane',
      lastName: 'Doe',
      profileImageUrl: 'https://example.com/jane.png',
    });
  });

  it('accepts claims with a subject only', () => {
    expect(personOf({ sub: 'b42f' })).toEqual({
      subject: 'b42f',
      email: '',
      emailVerified: false,
      firstName: null,
      lastName: null,
      profileImageUrl: null,
    });
  });

  it('splits a full name when the parts are missing', () => {
    const { given_name: _given, family_name: _family, ...unnamed } = jane;
    expect(personOf({ ...unnamed, name: 'Jane van Doe' })).toMatchObject({
      firstName: 'Jane van',
      lastName: 'Doe',
    });
    expect(personOf({ ...unnamed, name: 'Jane' })).toMatchObject({ firstName: 'Jane', lastName: null });
  });

  it.each([
    ['a picture with another scheme', { picture: 'javascript:alert(1)' }, { profileImageUrl: null }],
    ['a picture over plain http', { picture: 'http://example.com/a.png' }, { profileImageUrl: null }],
    ['a name that is an object', { given_name: { first: 'Jane' } }, { firstName: null }],
    ['invisible characters', { given_name: '\u202eJane\u0000\n' }, { firstName: 'Jane' }],
    ['half a surrogate pair', { given_name: 'Jane\ud800' }, { firstName: 'Jane\ufffd' }],
    ['an empty name', { family_name: '  ' }, { lastName: null }],
    ['a very long name', { given_name: 'x'.repeat(5_000) }, { firstName: 'x'.repeat(100) }],
    ['a verification as the text true', { email_verified: 'true' }, { emailVerified: true }],
    ['a verification as another text', { email_verified: 'yes' }, { emailVerified: false }],
  ])('normalises %s', (_what, claims, expected) => {
    expect(personOf({ ...jane, ...claims })).toMatchObject(expected);
  });

  it.each([
    ['absent', {}],
    ['empty', { sub: '' }],
    ['a number', { sub: 7 }],
    ['too long', { sub: 'x'.repeat(256) }],
  ])('refuses claims whose subject is %s', (_what, claims) => {
    expect(() => personOf(claims)).toThrow('did not say who you are');
  });
});

describe('mergedClaims', () => {
  const verified = { email: 'jane@example.com', email_verified: true };
  const unverified = { email: 'evil@example.com', email_verified: false };

  it.each([
    ['the user info has both', unverified, verified, verified],
    ['only the id token has them', verified, {}, verified],
    [
      'the user info has only the address',
      verified,
      { email: 'evil@example.com' },
      { email: 'evil@example.com' },
    ],
    ['the user info has only the verification', unverified, { email_verified: true }, unverified],
  ])('takes the address and its verification from one source: %s', (_what, idToken, userInfo, expected) => {
    const { email, email_verified } = mergedClaims({ sub: 'b42f', ...idToken }, userInfo);
    expect({ email, email_verified }).toEqual({ email_verified: undefined, ...expected });
  });
});
