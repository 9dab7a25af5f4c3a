import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { ClaimEvent } from './claim.ts';
import { claimDecider, maxClaimAttempts } from './claim.ts';

const { given } = deciderSpec(claimDecider);
const ann = accountId(derivedId('ann'));
const requested = (claimId: string): Extract<ClaimEvent, { type: 'ClaimCodeRequested' }> => ({
  type: 'ClaimCodeRequested',
  data: {
    accountId: ann,
    claimId,
    email: 'ann@example.com',
    emailHash: 'h',
    codeHash: `hash of ${claimId}`,
    code: '123456',
    expiresAt: '2026-01-01T00:30:00.000Z',
  },
});
const failed = (attempt: number): ClaimEvent => ({
  type: 'ClaimCodeFailed',
  data: { accountId: ann, claimId: 'one', attempt },
});
const enter = {
  type: 'EnterClaimCode',
  accountId: ann,
  claimId: 'one',
  codeHash: 'hash of one',
  now: '2026-01-01T00:29:59.999Z',
  until: '2026-01-01T01:00:00.000Z',
} as const;
const proved: Extract<ClaimEvent, { type: 'MailboxProved' }> = {
  type: 'MailboxProved',
  data: { accountId: ann, claimId: 'one', emailHash: 'h', until: enter.until },
};

describe('a claim code', () => {
  const wrong = { ...enter, codeHash: 'hash of something else' };

  it('proves the mailbox', () => given(requested('one')).when(enter).then(proved));
  it('proves the mailbox once', () =>
    given(requested('one'), proved).when(enter).thenRefused('CLAIM_CODE_MISSING'));
  it('is refused when it has expired', () =>
    given(requested('one'))
      .when({ ...enter, now: '2026-01-01T00:30:00.000Z' })
      .thenRefused('CLAIM_CODE_EXPIRED'));

  it('counts a wrong attempt', () => given(requested('one')).when(wrong).then(failed(1)));
  it('is accepted at the last attempt', () =>
    given(requested('one'), failed(maxClaimAttempts - 1))
      .when(enter)
      .then(proved));
  it('is blocked after the last attempt', () =>
    given(requested('one'), failed(maxClaimAttempts)).when(enter).thenRefused('CLAIM_CODE_BLOCKED'));

  it('is no longer accepted when a newer one was requested', () =>
    given(requested('one'), requested('two')).when(enter).thenRefused('CLAIM_CODE_MISSING'));
  it('has all its attempts also when the one before it was blocked', () =>
    given(requested('one'), failed(maxClaimAttempts), requested('two'))
      .when({ ...enter, claimId: 'two', codeHash: 'hash of two' })
      .then({ ...proved, data: { ...proved.data, claimId: 'two' } }));
  it('is requested once by one request', () =>
    given(requested('one'))
      .when({ type: 'RequestClaimCode', claim: requested('one').data })
      .thenNothing());
});
