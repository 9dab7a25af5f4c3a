import { describe, it } from '@jest/globals';
import { forgotten } from '@tapedeck/eventing';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { AccountEvent } from './account.ts';
import { accountDecider, type RegisterAccount } from './decide.ts';

const { given } = deciderSpec(accountDecider);
const account = accountId(derivedId('account.spec'));

const person = {
  accountId: account,
  issuer: 'sandbox',
  subject: 'b42fbbbc',
  email: 'jane@example.com',
  emailVerified: true,
  firstName: 'Jane',
  lastName: null,
  profileImageUrl: null,
} as const;

const signIn = (changes: Partial<RegisterAccount> = {}): RegisterAccount => ({
  type: 'RegisterAccount',
  ...person,
  ...changes,
});
const registered: AccountEvent = { type: 'AccountRegistered', data: person };
const changed = (email: string, emailVerified = true): AccountEvent => ({
  type: 'EmailChanged',
  data: { accountId: account, email, emailVerified },
});

describe('a first sign-in', () => {
  it('registers the person', () => {
    given()
      .when(signIn({ email: ' jane@example.com ' }))
      .then(registered);
  });

  it.each(['', 'jane', 'jane@example', 'jane doe@example.com', `jane@${'x'.repeat(250)}.com`])(
    'is refused with the address %j',
    (email) => given().when(signIn({ email })).thenRefused('SIGN_IN_WITHOUT_EMAIL'),
  );

  it('is refused with an address of more than 254 characters', () => {
    given()
      .when(signIn({ email: `jane@${'x'.repeat(250)}.com` }))
      .thenRefused('SIGN_IN_WITHOUT_EMAIL');
  });
});

describe('a later sign-in', () => {
  it('appends nothing when the person has not changed', () => {
    given(registered).when(signIn()).thenNothing();
  });

  it('appends nothing when only the case of the address or the name differs', () => {
    given(registered)
      .when(signIn({ email: 'Jane@Example.com', firstName: 'J.' }))
      .thenNothing();
  });

  it('records another address once', () => {
    given(registered)
      .when(signIn({ email: 'jd@example.com' }))
      .then(changed('jd@example.com'));
    given(registered, changed('jd@example.com'))
      .when(signIn({ email: 'jd@example.com' }))
      .thenNothing();
    given(registered, changed('jd@example.com')).when(signIn()).then(changed('jane@example.com'));
  });

  it('records whether the address is verified', () => {
    given(registered)
      .when(signIn({ emailVerified: false }))
      .then(changed('jane@example.com', false));
    given(registered, changed('jane@example.com', false)).when(signIn()).then(changed('jane@example.com'));
  });

  it('is refused once the account’s key was deleted', () => {
    given({
      type: 'AccountRegistered',
      data: {
        ...person,
        subject: forgotten,
        email: forgotten,
        firstName: forgotten,
        lastName: forgotten,
        profileImageUrl: forgotten,
      },
    })
      .when(signIn())
      .thenRefused('ACCOUNT_FORGOTTEN');
  });
});
