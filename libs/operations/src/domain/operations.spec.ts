import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { derivedId } from '@tapedeck/kernel';
import { reasonSubject } from '../events.ts';
import { operationsDecider } from './decide.ts';
import type { OperationsEvent } from './operations-events.ts';

const { given } = deciderSpec(operationsDecider);
const requestId = derivedId('request');
const change = { projection: 'favourites', requestId };
const reasoned = { reason: 'Rows were changed by hand', personalSubject: reasonSubject(requestId) };
const requested: OperationsEvent = { type: 'RebuildRequested', data: { ...change, ...reasoned } };
const started: OperationsEvent = { type: 'RebuildStarted', data: { ...change, eventsToRead: 7 } };
const completed: OperationsEvent = { type: 'RebuildCompleted', data: { ...change, position: '9' } };
const other = { ...change, requestId: derivedId('other request') };

describe('a change of a read model', () => {
  it('is asked for once by one request, and not while another one is under way', () => {
    const request = { type: 'RequestRebuild', ...change, ...reasoned } as const;
    given().when(request).then(requested);
    given(requested, started).when(request).thenNothing();
    given(requested)
      .when({ ...request, ...other })
      .thenRefused('CHANGE_UNDER_WAY');
    given(requested)
      .when({ type: 'RequestRollBack', ...other, ...reasoned })
      .thenRefused('CHANGE_UNDER_WAY');
    given(requested, completed)
      .when({ ...request, ...other })
      .then({ type: 'RebuildRequested', data: { ...other, ...reasoned } });
  });

  it('starts and ends once, whichever process records that', () => {
    const end = { type: 'RecordEnd', ...change, position: '9' } as const;
    given(requested)
      .when({ type: 'RecordStart', ...change, eventsToRead: 7 })
      .then(started);
    given(requested, started)
      .when({ type: 'RecordStart', ...change, eventsToRead: 8 })
      .thenNothing();
    given(requested, started).when(end).then(completed);
    given(requested, completed).when(end).thenNothing();
    given(requested, started)
      .when({ ...end, ...other })
      .thenNothing();
    given(requested)
      .when({ type: 'RecordFailure', ...change, error: 'No' })
      .then({ type: 'RebuildFailed', data: { ...change, error: 'No' } });
  });
});

describe('the cancelling of a change', () => {
  const cancel = { type: 'RequestCancel', ...change } as const;
  const cancelRequested: OperationsEvent = { type: 'ChangeCancelRequested', data: change };
  const cancelled: OperationsEvent = { type: 'ChangeCancelled', data: change };

  it('is asked for once, and ends it', () => {
    given(requested, started).when(cancel).then(cancelRequested);
    given(requested, cancelRequested).when(cancel).thenNothing();
    given(requested, cancelRequested)
      .when({ type: 'RequestRebuild', ...other, ...reasoned })
      .thenRefused('CHANGE_UNDER_WAY');
    given(requested, started, cancelRequested)
      .when({ type: 'RecordCancelled', ...change })
      .then(cancelled);
    given(requested, cancelRequested, cancelled)
      .when({ type: 'RequestRebuild', ...other, ...reasoned })
      .then({ type: 'RebuildRequested', data: { ...other, ...reasoned } });
  });

  it('is refused when the change has ended or is another one, and may come too late', () => {
    given(requested, completed).when(cancel).thenRefused('NO_CHANGE_UNDER_WAY');
    given(requested)
      .when({ ...cancel, ...other })
      .thenRefused('NO_CHANGE_UNDER_WAY');
    given(requested, started, cancelRequested)
      .when({ type: 'RecordEnd', ...change, position: '9' })
      .then(completed);
    given(requested, started, cancelRequested, completed)
      .when({ type: 'RecordCancelled', ...change })
      .thenNothing();
  });
});

describe('a parked event', () => {
  const parked = { subscriber: 'favourites', position: '4' };
  const content = { key: 'a', stream: 'a', eventType: 'FavouriteAdded', group: 'cannot fold', ...reasoned };
  const ignored = (kind: 'projection' | 'reaction'): OperationsEvent => ({
    type: 'ParkedEventIgnored',
    data: { ...parked, kind, ...content },
  });
  const restore = { type: 'RestoreEvent', ...parked, requestId, ...reasoned, mayRebuild: true } as const;

  it('is ignored once, until it is restored or turns out to be handled', () => {
    const ignore = { type: 'IgnoreEvent', ...parked, kind: 'reaction', ...content } as const;
    given().when(ignore).then(ignored('reaction'));
    given(ignored('reaction')).when(ignore).thenNothing();
    const missed: OperationsEvent = { type: 'IgnoreMissed', data: parked };
    given(ignored('reaction'))
      .when({ type: 'RecordMissed', ...parked })
      .then(missed);
    given(ignored('reaction'), missed).when(restore).thenRefused('NOT_IGNORED');
  });

  it('that a read model has ignored is restored by a rebuild', () => {
    const restored = (kind: 'projection' | 'reaction'): OperationsEvent => ({
      type: 'IgnoredEventRetried',
      data: { ...parked, kind, ...reasoned },
    });
    given(ignored('reaction')).when(restore).then(restored('reaction'));
    given(ignored('projection')).when(restore).then(restored('projection'), requested);
    given(ignored('projection'), { ...requested, data: { ...other, ...reasoned } })
      .when(restore)
      .thenRefused('CHANGE_UNDER_WAY');
    given(ignored('projection'))
      .when({ ...restore, mayRebuild: false })
      .thenRefused('FOR_ADMINS');
  });
});
