import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import type { GrantedTier } from '@tapedeck/plans/contract';
import { activated, ann, day, follow, grantAccess, opened, revokeAccess } from '../testing/entitlements.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import type { MembershipEvent } from './membership.ts';

const { given } = deciderSpec(membershipDecider);

describe('complimentary access', () => {
  const grant = (tier: GrantedTier, until: string | null = null): MembershipCommand =>
    grantAccess({ grantId: `grant ${tier}`, tier, until });
  const granted = (tier: GrantedTier, until: string | null = null): MembershipEvent => ({
    type: 'ComplimentaryAccessGranted',
    data: { accountId: ann, grantId: `grant ${tier}`, tier, until, reason: 'Has written a guide.' },
  });
  const grantEnded = (
    tier: GrantedTier,
    cause: 'expired' | 'revoked' | 'paid',
    reason: string | null = null,
  ): MembershipEvent => ({
    type: 'ComplimentaryAccessEnded',
    data: { accountId: ann, grantId: `grant ${tier}`, cause, reason },
  });
  const expire = (now: string): MembershipCommand => ({
    type: 'EndComplimentaryAccess',
    accountId: ann,
    grantId: 'grant Elite',
    now,
  });

  it('is granted', () => {
    given().when(grant('Elite')).then(granted('Elite'));
  });

  it('is granted once', () => {
    given(granted('Elite')).when(grant('Elite')).thenNothing();
  });

  it('is not granted again by a request that was repeated after its end', () => {
    given(granted('Elite'), grantEnded('Elite', 'revoked')).when(grant('Elite')).thenNothing();
  });

  it('lasts until its time', () => {
    given(granted('Elite', day('01-10')))
      .when(expire(day('01-09')))
      .thenNothing();
  });

  it('expires at its time', () => {
    given(granted('Elite', day('01-10')))
      .when(expire(day('01-10')))
      .then(grantEnded('Elite', 'expired'));
  });

  it('expires once', () => {
    given(granted('Elite', day('01-10')), grantEnded('Elite', 'expired'))
      .when(expire(day('01-11')))
      .thenNothing();
  });

  it('is revoked by its id', () => {
    given(granted('Pro'), granted('Elite'))
      .when(revokeAccess({ grantId: 'grant Pro' }))
      .then(grantEnded('Pro', 'revoked', 'By mistake.'));
  });

  it('is revoked once', () => {
    given(granted('Pro'), grantEnded('Pro', 'revoked'))
      .when(revokeAccess({ grantId: 'grant Pro' }))
      .thenNothing();
  });

  it('is revoked as a whole when no grant is named', () => {
    given(granted('Pro'), granted('Elite'))
      .when(revokeAccess())
      .then(grantEnded('Pro', 'revoked', 'By mistake.'), grantEnded('Elite', 'revoked', 'By mistake.'));
  });

  it('ends when a subscription starts that includes it; a better grant stays', () => {
    const included = [grantEnded('Basic', 'paid'), grantEnded('Pro', 'paid')];
    const events = [opened(), activated(), ...included];
    given(granted('Basic'), granted('Pro'), granted('Elite'))
      .when(follow())
      .then(...events);
  });

  it('stays while the subscription is not paid', () => {
    given(granted('Pro'))
      .when(follow({ phase: 'pending', paidUntil: null }))
      .then(opened());
  });

  it.each([
    ['GRANT_WITHOUT_REASON', grantAccess({ reason: '  ' })],
    ['GRANT_ENDS_IN_THE_PAST', grant('Pro', day('01-01'))],
    ['GRANT_NOT_FOUND', revokeAccess({ grantId: 'grant Pro' })],
  ])('is refused with %s', (code, command) => {
    given().when(command).thenRefused(code);
  });
});
