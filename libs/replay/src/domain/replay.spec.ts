import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { replayDecider } from './replay.ts';
import type { ReplayApplied, ReplayCompleted, ReplayFigures, ReplayTried } from './replay.ts';

const figures: ReplayFigures = {
  fingerprint: 'f1',
  beforeHash: 'b',
  afterHash: 'a',
  events: 3,
  fields: 2,
};
const about = { accountId: null, subscriptionId: 'sub_1' };
const tried: ReplayTried = {
  type: 'ReplayTried',
  data: {
    replayId: 'r1',
    mode: 'refetch',
    target: { kind: 'subscription', subscriptionId: 'sub_1' },
    at: '2027-01-01T00:00:00.000Z',
    ...about,
    ...figures,
  },
};
const applied: ReplayApplied = {
  type: 'ReplayApplied',
  data: {
    replayId: 'r1',
    ...about,
    reason: 'The webhook was lost.',
    personalSubject: 'replay:r1',
    ...figures,
  },
};
const completed: ReplayCompleted = { type: 'ReplayCompleted', data: { replayId: 'r1', ...about } };
const apply = {
  type: 'ApplyReplay',
  fingerprint: 'f1',
  figures,
  reason: 'The webhook was lost.',
  personalSubject: 'replay:r1',
  releases: [],
} as const;

describe('a replay', () => {
  const { given } = deciderSpec(replayDecider);

  const complete = { type: 'CompleteReplay' } as const;

  it('is tried', () => given().when({ type: 'TryReplay', replay: tried.data }).then(tried));
  it('is applied after it was tried', () => given(tried).when(apply).then(applied));
  it('is applied once', () => given(tried, applied).when(apply).thenNothing());
  it('is completed after it was applied', () => given(tried, applied).when(complete).then(completed));
  it('is not applied again after it was completed', () =>
    given(tried, applied, completed).when(apply).thenNothing());
  it('is completed once', () => given(tried, applied, completed).when(complete).thenNothing());
  it('is not completed before it was applied', () => given(tried).when(complete).thenNothing());

  it('is not applied when it was not tried', () => given().when(apply).thenRefused('REPLAY_NOT_FOUND'));
  it('is not applied when the confirmed difference is not the one that was shown', () =>
    given(tried)
      .when({ ...apply, fingerprint: 'f2' })
      .thenRefused('REPLAY_OUTDATED'));
  it('is not applied when the tape or Stripe has changed since it was tried', () =>
    given(tried)
      .when({ ...apply, figures: { ...figures, fingerprint: 'f2' } })
      .thenRefused('REPLAY_OUTDATED'));
});
