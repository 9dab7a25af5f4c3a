import { describe, expect, it } from '@jest/globals';
import type { EffectContext, RecordedEvent } from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { operationsStream, type OperationsEvent } from '@tapedeck/operations/events';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { day, subscriptionId } from '../testing/snapshots.ts';
import { after, bought, request, upgrade } from '../testing/subscription-history.ts';
import { ignoredRequestsEffect } from './ignored-requests.ts';

const stream = subscriptionStream(subscriptionId);
const history = after(bought, request(upgrade)).map((event, index) =>
  recordedEvent(event, { stream, version: index + 1, position: BigInt(100 + index) }),
);
const position = String(history.find(({ type }) => type === 'StripeWriteRequested')?.position);
const subscriber = 'stripe-writes';
const reasoned = { reason: 'Not any more.', personalSubject: 'operation:1' };
const about = { subscriber, position, kind: 'reaction' } as const;

const ignored: OperationsEvent = {
  type: 'ParkedEventIgnored',
  data: { ...about, key: stream, stream, eventType: 'StripeWriteRequested', group: '', ...reasoned },
};
const restored: OperationsEvent = { type: 'IgnoredEventRetried', data: { ...about, ...reasoned } };

const ofOperations = (event: OperationsEvent): RecordedEvent =>
  recordedEvent(event, { stream: operationsStream(subscriber) });
const streams = new Map<string, readonly RecordedEvent[]>([
  [stream, history],
  [operationsStream(subscriber), [ofOperations(ignored)]],
]);
const effect = ignoredRequestsEffect({
  store: { readStream: async (name) => streams.get(name) ?? [] },
});
const context: EffectContext = {
  read: async (target) => target.decider.initialState,
  key: 'key',
  now: day('01-06'),
  attempt: 1,
  signal: new AbortController().signal,
};

describe('a request to Stripe that somebody ignores', () => {
  it('is refused, so that the member can make another change', async () => {
    expect(await effect.run(ofOperations(ignored), context)).toMatchObject([
      { stream, command: { type: 'RefuseStripeRequest', requestId: 'upgrade', code: 'IGNORED' } },
    ]);
  });

  it('is requested once more when it is restored', async () => {
    expect(await effect.run(ofOperations(restored), context)).toMatchObject([
      { stream, command: { type: 'RepeatStripeRequest', repeats: 'upgrade' } },
    ]);
  });

  it('is none of another effect, nor another event', async () => {
    const other: OperationsEvent = { ...restored, data: { ...restored.data, subscriber: 'payment-mails' } };
    expect(effect.concerns?.(ofOperations(other))).toBe(false);
    expect(effect.concerns?.(ofOperations(ignored))).toBe(true);
    const unknown: OperationsEvent = { ...ignored, data: { ...ignored.data, position: '1' } };
    expect(await effect.run(ofOperations(unknown), context)).toEqual([]);
  });
});
