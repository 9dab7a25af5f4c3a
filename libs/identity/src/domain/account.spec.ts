import { describe, it } from '@jest/globals';
import { forgotten } from '@tapedeck/eventing/core';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { AccountEvent } from './account.ts';
import {
  accountDecider,
  type CompleteProfile,
  type ForgetAccount,
  type GrantRole,
  type RegisterAccount,
  type RevokeRole,
} from './decide.ts';

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

  it('records another address', () =>
    given(registered)
      .when(signIn({ email: 'jd@example.com' }))
      .then(changed('jd@example.com')));

  it('records another address once', () =>
    given(registered, changed('jd@example.com'))
      .when(signIn({ email: 'jd@example.com' }))
      .thenNothing());

  it('records that the address is the former one again', () =>
    given(registered, changed('jd@example.com')).when(signIn()).then(changed('jane@example.com')));

  it('records that the address is no longer verified', () =>
    given(registered)
      .when(signIn({ emailVerified: false }))
      .then(changed('jane@example.com', false)));

  it('records that the address is verified again', () =>
    given(registered, changed('jane@example.com', false)).when(signIn()).then(changed('jane@example.com')));

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

describe('a profile', () => {
  const profile = { accountId: account, discordEmail: 'jane@discord.example', tradingViewUsername: 'jane_d' };
  const complete: CompleteProfile = { type: 'CompleteProfile', ...profile };
  const completed: AccountEvent = { type: 'ProfileCompleted', data: profile };

  it('is recorded', () => given(registered).when(complete).then(completed));

  it('is not recorded again when it has not changed', () =>
    given(registered, completed, changed('jd@example.com')).when(complete).thenNothing());

  it('is recorded again when a part of it has changed', () =>
    given(registered, completed)
      .when({ ...complete, tradingViewUsername: 'jd' })
      .then({ type: 'ProfileCompleted', data: { ...profile, tradingViewUsername: 'jd' } }));

  it('is that of a registered account', () => {
    given().when(complete).thenRefused('NO_SUCH_ACCOUNT');
  });
});

describe('a role', () => {
  const about = { accountId: account, role: 'admin', reason: 'on call' } as const;
  const grant: GrantRole = { type: 'GrantRole', ...about };
  const revoke: RevokeRole = { type: 'RevokeRole', ...about };
  const granted: AccountEvent = { type: 'RoleGranted', data: about };
  const revoked: AccountEvent = { type: 'RoleRevoked', data: about };

  it('is granted', () => given(registered).when(grant).then(granted));
  it('is granted once', () => given(registered, granted).when(grant).thenNothing());
  it('is revoked', () => given(registered, granted).when(revoke).then(revoked));
  it('is revoked once', () => given(registered, granted, revoked).when(revoke).thenNothing());
  it('is granted again after it was revoked', () =>
    given(registered, granted, revoked).when(grant).then(granted));
  it('stays when the address changes', () =>
    given(registered, granted, changed('jd@example.com')).when(grant).thenNothing());
  it('is granted to registered accounts only', () => given().when(grant).thenRefused('NO_SUCH_ACCOUNT'));
  it('is revoked from registered accounts only', () => given().when(revoke).thenRefused('NO_SUCH_ACCOUNT'));
});

describe('the deletion of an account', () => {
  const forget = (confirmation: string): ForgetAccount => ({
    type: 'ForgetAccount',
    accountId: account,
    confirmation,
  });
  const deleted: AccountEvent = { type: 'AccountForgotten', data: { accountId: account } };

  it('is confirmed by the present address, in upper or lower case', () =>
    given(registered).when(forget(' Jane@Example.com ')).then(deleted));

  it('is confirmed by the new address after a change', () =>
    given(registered, changed('jd@example.com')).when(forget('jd@example.com')).then(deleted));

  it('is not confirmed by a former address', () =>
    given(registered, changed('jd@example.com'))
      .when(forget('jane@example.com'))
      .thenRefused('CONFIRMATION_WRONG'));

  it('is not confirmed without an address', () =>
    given(registered).when(forget('')).thenRefused('CONFIRMATION_WRONG'));

  it('happens once', () => given(registered, deleted).when(forget('jane@example.com')).thenNothing());

  it('refuses a sign-in afterwards, also while the key still exists', () =>
    given(registered, deleted).when(signIn()).thenRefused('ACCOUNT_FORGOTTEN'));

  it('refuses a role afterwards, also while the key still exists', () =>
    given(registered, deleted)
      .when({ type: 'GrantRole', accountId: account, role: 'admin', reason: '' })
      .thenRefused('ACCOUNT_FORGOTTEN'));
});
