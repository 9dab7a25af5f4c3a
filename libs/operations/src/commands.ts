import { dispatch, type Dispatch, type Position } from '@tapedeck/eventing';
import { operations } from './domain/decide.ts';
import { operationsStream, type RetryReason } from './domain/operations.ts';

/** What a module sends to have events of a reaction or effect tried again: so that it is an event on the tape. */
export const retryEvents = (
  consumer: string,
  positions: readonly Position[],
  reason: Exclude<RetryReason, 'by-hand'>,
): Dispatch =>
  dispatch(operations, operationsStream(consumer), {
    type: 'RetryEvents',
    subscriber: consumer,
    positions: positions.map(String),
    reason,
  });
