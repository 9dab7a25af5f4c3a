import { defineEvents } from '@tapedeck/eventing/core';
import type { OperationsEvent } from './domain/operations-events.ts';

export type * from './domain/operations-events.ts';

const reasoned = { version: 1, personal: ['reason'], subject: 'personalSubject' } as const;

export const operationsEvents = defineEvents<OperationsEvent>({
  RebuildRequested: reasoned,
  RebuildStarted: { version: 1 },
  RebuildCompleted: { version: 1 },
  RebuildFailed: { version: 1 },
  RollBackRequested: reasoned,
  RolledBack: { version: 1 },
  RollBackFailed: { version: 1 },
  ChangeCancelRequested: { version: 1 },
  ChangeCancelled: { version: 1 },
  ParkedEventsRetried: { version: 2, upcasters: [(data) => ({ ...data, reason: 'by-hand' })] },
  ParkedEventIgnored: reasoned,
  IgnoreMissed: { version: 1 },
  IgnoredEventRetried: {
    ...reasoned,
    version: 2,
    upcasters: [(data) => ({ ...data, reason: null, personalSubject: '' })],
  },
});

/** What was done about a projection, a reaction or an effect. */
export const operationsStream = (consumer: string): string => `projection-${consumer}`;
/** The key of one reason. */
export const reasonSubject = (requestId: string): string => `operation:${requestId}`;
