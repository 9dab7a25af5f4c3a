import { goldenEvents } from '@tapedeck/eventing/testing';
import { operationsEvents, reasonSubject, type OperationsEvent } from '../events.ts';

type Samples = {
  readonly [Type in OperationsEvent['type']]: Extract<OperationsEvent, { type: Type }>['data'];
};

const requestId = '5b1c7a52-54a1-5a5e-8f3e-0c4d6b8f7e21';
const change = { projection: 'favourites', requestId };
const reasoned = { reason: 'Rows were changed by hand', personalSubject: reasonSubject(requestId) };
const parked = { subscriber: 'stripe-writes', position: '1204' };

goldenEvents(new URL('golden/', import.meta.url), operationsEvents, {
  RebuildRequested: { ...change, ...reasoned },
  RebuildStarted: { ...change, eventsToRead: 120_000 },
  RebuildCompleted: { ...change, position: '123456' },
  RebuildFailed: { ...change, error: 'The new build has 2 parked events and the one in use 0.' },
  RollBackRequested: { ...change, ...reasoned },
  RolledBack: { ...change, position: '123456' },
  RollBackFailed: { ...change, error: 'The build before is no longer there.' },
  ChangeCancelRequested: change,
  ChangeCancelled: change,
  ParkedEventsRetried: { subscriber: 'stripe-writes', positions: ['1204', '1209'], reason: 'by-hand' },
  ParkedEventIgnored: {
    ...parked,
    kind: 'reaction',
    key: 'subscription-sub_1',
    stream: 'subscription-sub_1',
    eventType: 'StripeWriteRequested',
    group: 'STRIPE_REFUSED: No such subscription: "…"',
    ...reasoned,
  },
  IgnoreMissed: parked,
  IgnoredEventRetried: { ...parked, kind: 'reaction', reason: null, personalSubject: '' },
} satisfies Samples);
