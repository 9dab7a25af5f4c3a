import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { derivedId } from '@tapedeck/kernel';
import { reasonSubject } from '../events.ts';
import { operationsDecider } from './decide.ts';
import type { OperationsEvent } from './operations.ts';

const { given } = deciderSpec(operationsDecider);
const requestId = derivedId('request');
const change = { projection: 'favourites', requestId };
const reasoned = { reason: 'Rows were changed by hand', personalSubject: reasonSubject(requestId) };
const requested: OperationsEvent = { type: 'RebuildRequested', data: { ...change, ...reasoned } };
const started: OperationsEvent = { type: 'RebuildStarted', data: { ...change, eventsToRead: 7 } };
const completed: OperationsEvent = { type: 'RebuildCompleted', data: { ...change, position: '9' } };
const other = { ...change, requestId: derivedId('other request') };

describe('a change of a read model', () => {
  const request = { type: 'RequestRebuild', ...change, ...reasoned } as const;
  const end = { type: 'RecordEnd', ...change, position: '9' } as const;

  it('is requested', () => given().when(request).then(requested));
  it('is not requested again by the same request', () =>
    given(requested, started).when(request).thenNothing());
  it('is refused as a rebuild while another change is under way', () =>
    given(requested)
      .when({ ...request, ...other })
      .thenRefused('CHANGE_UNDER_WAY'));
  it('is refused as a roll-back while another change is under way', () =>
    given(requested)
      .when({ type: 'RequestRollBack', ...other, ...reasoned })
      .thenRefused('CHANGE_UNDER_WAY'));
  it('is requested after the one before has ended', () =>
    given(requested, completed)
      .when({ ...request, ...other })
      .then({ type: 'RebuildRequested', data: { ...other, ...reasoned } }));

  it('starts', () =>
    given(requested)
      .when({ type: 'RecordStart', ...change, eventsToRead: 7 })
      .then(started));
  it('starts once, also when a second process records the start', () =>
    given(requested, started)
      .when({ type: 'RecordStart', ...change, eventsToRead: 8 })
      .thenNothing());
  it('ends', () => given(requested, started).when(end).then(completed));
  it('ends once, also when a second process records the end', () =>
    given(requested, completed).when(end).thenNothing());
  it('does not end by the end of another change', () =>
    given(requested, started)
      .when({ ...end, ...other })
      .thenNothing());
  it('may fail before it has started', () =>
    given(requested)
      .when({ type: 'RecordFailure', ...change, error: 'No' })
      .then({ type: 'RebuildFailed', data: { ...change, error: 'No' } }));
});

describe('the cancelling of a change', () => {
  const cancel = { type: 'RequestCancel', ...change } as const;
  const cancelRequested: OperationsEvent = { type: 'ChangeCancelRequested', data: change };
  const cancelled: OperationsEvent = { type: 'ChangeCancelled', data: change };

  it('is requested', () => given(requested, started).when(cancel).then(cancelRequested));
  it('is not requested a second time', () => given(requested, cancelRequested).when(cancel).thenNothing());
  it('does not end the change before it is done: another one is refused', () =>
    given(requested, cancelRequested)
      .when({ type: 'RequestRebuild', ...other, ...reasoned })
      .thenRefused('CHANGE_UNDER_WAY'));
  it('is recorded', () =>
    given(requested, started, cancelRequested)
      .when({ type: 'RecordCancelled', ...change })
      .then(cancelled));
  it('ends the change, so that another one can be requested', () =>
    given(requested, cancelRequested, cancelled)
      .when({ type: 'RequestRebuild', ...other, ...reasoned })
      .then({ type: 'RebuildRequested', data: { ...other, ...reasoned } }));

  it('is refused when the change has ended', () =>
    given(requested, completed).when(cancel).thenRefused('NO_CHANGE_UNDER_WAY'));
  it('is refused when another change is under way', () =>
    given(requested)
      .when({ ...cancel, ...other })
      .thenRefused('NO_CHANGE_UNDER_WAY'));
  it('may come too late: the change then ends as it would have', () =>
    given(requested, started, cancelRequested)
      .when({ type: 'RecordEnd', ...change, position: '9' })
      .then(completed));
  it('is not recorded after the change has ended', () =>
    given(requested, started, cancelRequested, completed)
      .when({ type: 'RecordCancelled', ...change })
      .thenNothing());
});

describe('a parked event', () => {
  const parked = { subscriber: 'favourites', position: '4' };
  const content = { key: 'a', stream: 'a', eventType: 'FavouriteAdded', group: 'cannot fold', ...reasoned };
  const ignored = (kind: 'projection' | 'reaction'): OperationsEvent => ({
    type: 'ParkedEventIgnored',
    data: { ...parked, kind, ...content },
  });
  const restored = (kind: 'projection' | 'reaction'): OperationsEvent => ({
    type: 'IgnoredEventRetried',
    data: { ...parked, kind, ...reasoned },
  });
  const missed: OperationsEvent = { type: 'IgnoreMissed', data: parked };
  const ignore = { type: 'IgnoreEvent', ...parked, kind: 'reaction', ...content } as const;
  const restore = { type: 'RestoreEvent', ...parked, requestId, ...reasoned, mayRebuild: true } as const;

  it('is ignored', () => given().when(ignore).then(ignored('reaction')));
  it('is ignored once', () => given(ignored('reaction')).when(ignore).thenNothing());
  it('is not ignored when it turns out to be handled', () =>
    given(ignored('reaction'))
      .when({ type: 'RecordMissed', ...parked })
      .then(missed));
  it('cannot be restored when it was handled instead of ignored', () =>
    given(ignored('reaction'), missed).when(restore).thenRefused('NOT_IGNORED'));

  it('that a reaction has ignored is restored', () =>
    given(ignored('reaction')).when(restore).then(restored('reaction')));
  it('that a read model has ignored is restored by a rebuild', () =>
    given(ignored('projection')).when(restore).then(restored('projection'), requested));
  it('that a read model has ignored cannot be restored while a change is under way', () =>
    given(ignored('projection'), { ...requested, data: { ...other, ...reasoned } })
      .when(restore)
      .thenRefused('CHANGE_UNDER_WAY'));
  it('that a read model has ignored is restored by admins only', () =>
    given(ignored('projection'))
      .when({ ...restore, mayRebuild: false })
      .thenRefused('FOR_ADMINS'));
});
