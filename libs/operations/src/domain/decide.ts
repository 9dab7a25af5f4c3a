import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import {
  evolve,
  noOperations,
  type OpenChange,
  type Operations,
  type OperationsEvent,
  operationsEvents,
  type ParkedEventIgnored,
  type ParkedEventsRetried,
  type RebuildRequested,
} from './operations.ts';

type Requested = Readonly<{
  projection: string;
  requestId: string;
  reason: string;
  personalSubject: string;
}>;
type OfOpenChange = Readonly<{ projection: string; requestId: string }>;

export type RequestRebuild = Readonly<{ type: 'RequestRebuild' }> & Requested;
export type RequestRollBack = Readonly<{ type: 'RequestRollBack' }> & Requested;
export type RecordStart = Readonly<{ type: 'RecordStart'; eventsToRead: number }> & OfOpenChange;
export type RecordEnd = Readonly<{ type: 'RecordEnd'; position: string }> & OfOpenChange;
export type RecordFailure = Readonly<{ type: 'RecordFailure'; error: string }> & OfOpenChange;
export type RequestCancel = Readonly<{ type: 'RequestCancel' }> & OfOpenChange;
export type RecordCancelled = Readonly<{ type: 'RecordCancelled' }> & OfOpenChange;
export type RetryEvents = Readonly<{ type: 'RetryEvents' }> & ParkedEventsRetried['data'];
export type IgnoreEvent = Readonly<{ type: 'IgnoreEvent' }> & ParkedEventIgnored['data'];
export type RecordMissed = Readonly<{ type: 'RecordMissed'; subscriber: string; position: string }>;
/** A read model takes the event in by a rebuild, for which it needs what a request has. */
export type RestoreEvent = Readonly<{
  type: 'RestoreEvent';
  subscriber: string;
  position: string;
  /** Support may not. */
  mayRebuild: boolean;
}> &
  Omit<Requested, 'projection'>;

export type OperationsCommand =
  | RequestRebuild
  | RequestRollBack
  | RecordStart
  | RecordEnd
  | RecordFailure
  | RequestCancel
  | RecordCancelled
  | RetryEvents
  | IgnoreEvent
  | RecordMissed
  | RestoreEvent;

const underWay = (name: string, { kind }: OpenChange): DomainError =>
  new DomainError(
    'conflict',
    'CHANGE_UNDER_WAY',
    `A ${kind === 'rebuild' ? 'rebuild' : 'roll-back'} of ${name} is under way: wait until it has ended.`,
  );

const nothingUnderWay = (name: string): DomainError =>
  new DomainError(
    'conflict',
    'NO_CHANGE_UNDER_WAY',
    `This change of ${name} has ended in the meantime: reload the page.`,
  );

const notIgnored = (): DomainError =>
  new DomainError('conflict', 'NOT_IGNORED', 'This event is not ignored any more: reload the page.');

const forAdmins = (): DomainError =>
  new DomainError(
    'forbidden',
    'FOR_ADMINS',
    'Restoring an ignored event rebuilds its read model: ask an admin to do it.',
  );

/** The same request sent again is no second one. */
const request = (
  type: 'RebuildRequested' | 'RollBackRequested',
  { projection, requestId, reason, personalSubject }: Requested,
  { change }: Operations,
): readonly OperationsEvent[] => {
  if (change?.requestId === requestId) return [];
  if (change) throw underWay(projection, change);
  const data: RebuildRequested['data'] = { projection, requestId, reason, personalSubject };
  return [{ type, data }];
};

const isOpen = ({ change }: Operations, { requestId }: OfOpenChange): boolean =>
  change?.requestId === requestId;

const end = (command: RecordEnd, state: Operations): readonly OperationsEvent[] => {
  if (!isOpen(state, command)) return [];
  const { projection, requestId, position } = command;
  const type = state.change?.kind === 'rebuild' ? 'RebuildCompleted' : 'RolledBack';
  return [{ type, data: { projection, requestId, position } }];
};

const fail = (command: RecordFailure, state: Operations): readonly OperationsEvent[] => {
  if (!isOpen(state, command)) return [];
  const { projection, requestId, error } = command;
  const type = state.change?.kind === 'rebuild' ? 'RebuildFailed' : 'RollBackFailed';
  return [{ type, data: { projection, requestId, error } }];
};

const start = (command: RecordStart, state: Operations): readonly OperationsEvent[] => {
  if (!isOpen(state, command) || state.change?.isStarted) return [];
  const { projection, requestId, eventsToRead } = command;
  return [{ type: 'RebuildStarted', data: { projection, requestId, eventsToRead } }];
};

const requestCancel = (
  { projection, requestId }: RequestCancel,
  state: Operations,
): readonly OperationsEvent[] => {
  if (!isOpen(state, { projection, requestId })) throw nothingUnderWay(projection);
  return state.change?.isCancelRequested
    ? []
    : [{ type: 'ChangeCancelRequested', data: { projection, requestId } }];
};

const cancelled = (
  { projection, requestId }: RecordCancelled,
  state: Operations,
): readonly OperationsEvent[] =>
  isOpen(state, { projection, requestId })
    ? [{ type: 'ChangeCancelled', data: { projection, requestId } }]
    : [];

const restore = (command: RestoreEvent, state: Operations): readonly OperationsEvent[] => {
  const { subscriber, position, requestId, reason, personalSubject } = command;
  const kind = state.ignored.get(position);
  if (kind === undefined) throw notIgnored();
  const data = { subscriber, position, kind, reason, personalSubject };
  const restored = { type: 'IgnoredEventRetried', data } as const;
  if (kind === 'reaction') return [restored];
  if (!command.mayRebuild) throw forAdmins();
  const rebuild = { projection: subscriber, requestId, reason, personalSubject };
  return [restored, ...request('RebuildRequested', rebuild, state)];
};

const decide = (command: OperationsCommand, state: Operations): readonly OperationsEvent[] => {
  switch (command.type) {
    case 'RequestRebuild':
      return request('RebuildRequested', command, state);
    case 'RequestRollBack':
      return request('RollBackRequested', command, state);
    case 'RecordStart':
      return start(command, state);
    case 'RecordEnd':
      return end(command, state);
    case 'RecordFailure':
      return fail(command, state);
    case 'RequestCancel':
      return requestCancel(command, state);
    case 'RecordCancelled':
      return cancelled(command, state);
    case 'RetryEvents': {
      const { type: _, ...data } = command;
      return data.positions.length === 0 ? [] : [{ type: 'ParkedEventsRetried', data }];
    }
    case 'IgnoreEvent': {
      const { type: _, ...data } = command;
      return state.ignored.has(data.position) ? [] : [{ type: 'ParkedEventIgnored', data }];
    }
    case 'RecordMissed': {
      const { subscriber, position } = command;
      return state.ignored.has(position) ? [{ type: 'IgnoreMissed', data: { subscriber, position } }] : [];
    }
    case 'RestoreEvent':
      return restore(command, state);
    default:
      return command satisfies never;
  }
};

export const operationsDecider: Decider<Operations, OperationsCommand, OperationsEvent> = {
  initialState: noOperations,
  decide,
  evolve,
};

export const operations = commandTarget(operationsDecider, operationsEvents);
