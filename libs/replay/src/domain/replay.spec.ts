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
} as const;

describe('a replay', () => {
  const { given } = deciderSpec(replayDecider);

  it('is tried, then applied and completed once', () => {
    given().when({ type: 'TryReplay', replay: tried.data }).then(tried);
    given(tried).when(apply).then(applied);
    given(tried, applied).when(apply).thenNothing();
    given(tried, applied).when({ type: 'CompleteReplay' }).then(completed);
    given(tried, applied, completed).when(apply).thenNothing();
    given(tried, applied, completed).when({ type: 'CompleteReplay' }).thenNothing();
    given(tried).when({ type: 'CompleteReplay' }).thenNothing();
  });

  it('is refused when it was not tried, or when the tape or Stripe is another one since', () => {
    given().when(apply).thenRefused('REPLAY_NOT_FOUND');
    given(tried)
      .when({ ...apply, fingerprint: 'f2' })
      .thenRefused('REPLAY_OUTDATED');
    given(tried)
      .when({ ...apply, figures: { ...figures, fingerprint: 'f2' } })
      .thenRefused('REPLAY_OUTDATED');
  });
});
