import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { replayEvents } from '../events.ts';
import type { ReplayEvent } from './replay.ts';

type Samples = {
  readonly [Type in ReplayEvent['type']]: Extract<ReplayEvent, { type: Type }>['data'];
};

const ann = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const subscriptionId = 'sub_1MowQVLkdIwHu7ix';
const replayId = '4b1e6679-7425-40de-944b-e07fc1f90ae7';
const figures = {
  fingerprint: 'e3b0c442',
  beforeHash: '6e340b9c',
  afterHash: '96a296d2',
  events: 3,
  fields: 7,
};

goldenEvents(new URL('golden/', import.meta.url), replayEvents, {
  ReplayTried: {
    replayId,
    mode: 'refetch',
    target: { kind: 'member', accountId: ann },
    at: '2026-11-22T10:00:00.000Z',
    accountId: ann,
    subscriptionId,
    ...figures,
  },
  ReplayApplied: {
    replayId,
    accountId: ann,
    subscriptionId,
    reason: 'The webhook of the payment was lost.',
    personalSubject: `replay:${replayId}`,
    ...figures,
  },
  ReplayCompleted: { replayId, accountId: ann, subscriptionId },
} satisfies Samples);
