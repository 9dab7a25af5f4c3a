import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tapedeck/kernel';
import { startProjector, type Projector } from '../projections.ts';
import { dispatch, WaitingFor, type Effect } from '../reaction.ts';
import { pendingEvents } from '../reactions.ts';
import { silentLogger } from '../runner/run-leased.ts';
import { eventually } from '../testing/eventually.ts';
import { countingEffect, counters, noted, numberOf } from '../testing/sample-counters.ts';
import { countingDueDates, dayAt, firstDay, sampleDueDates } from '../testing/sample-due-dates.ts';
import { reactionTests } from '../testing/sample-reactions.ts';

describe('due dates', () => {
  const { database, store, start, append, counted, history, started } = reactionTests();
  let clock = fixedClock(firstDay);
  let projector: Projector;
  let messages: string[] = [];
  const log = (_: object, message: string): void => void messages.push(message);
  const logger = { ...silentLogger, debug: log, warn: log };
  beforeEach(() => {
    clock = fixedClock(firstDay);
    messages = [];
    const databases = { tapedeck: database().pool };
    projector = startProjector({ store: store(), projections: [sampleDueDates], databases });
  });
  afterEach(() => projector.stop());

  const startDue = (effects: readonly Effect[] = [], more: object = {}) =>
    start({ dueDates: [countingDueDates()], effects, clock, logger, ...more });
  const jump = (): void => clock.advance(dayAt(40) - clock.now());

  it('are sent once each and in order after a jump over several of them, by two processes at once', async () => {
    const first = startDue();
    startDue();
    await append('note-a', noted(5));
    await append('note-b', noted(3));
    await started('counting-days');
    expect(await counted('count-a')).toEqual([]);
    clock.advance(dayAt(4) - clock.now());
    await eventually(async () => expect(await counted('count-b')).toEqual([3]));
    expect(await counted('count-a')).toEqual([]);
    jump();
    // Perhaps more of them: the process is stopped at any point after the second.
    await eventually(async () => expect((await counted('count-b')).slice(0, 2)).toEqual([3, 13]));
    await first.stop();
    await eventually(async () => expect(await counted('count-a')).toEqual([5, 15, 25, 35]));
    await eventually(async () => expect(await counted('count-b')).toEqual([3, 13, 23, 33]));
    const [sent] = await history('count-a');
    expect(sent?.metadata).toMatchObject({ actorId: 'system', actorKind: 'system' });
    expect(sent?.metadata.causationId).toBe(sent?.metadata.correlationId);
  });

  it('that an effect on the way makes void are not sent', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const ending = countingEffect({
      run: async ({ stream }) => {
        await gate;
        if (stream !== 'note-void') return [];
        return [dispatch(counters, stream.replace('note-', 'count-'), { n: 99 })];
      },
    });
    startDue([ending]);
    await started('calling');
    await append('note-void', noted(7));
    await append('note-valid', noted(30));
    jump();
    await eventually(() => expect(messages).toContain('due dates wait until everything is known'));
    expect(await counted('count-valid')).toEqual([]);
    open();
    await eventually(async () => expect(await counted('count-void')).toEqual([99]));
    await eventually(async () => expect(await counted('count-valid')).toEqual([30]));
    expect(await counted('count-void')).toEqual([99]);
  });

  it('do not wait for events that are parked or wait for their cause, nor longer than their limit', async () => {
    const failing = countingEffect({
      run: async (event) => {
        if (numberOf(event) === 31) throw new WaitingFor('something');
        if (event.stream === 'note-failing') throw new Error('unreachable');
        return [];
      },
    });
    startDue([failing], { knowledgeMs: 200 });
    await started('calling');
    await append('note-waiting', noted(31));
    await eventually(async () =>
      expect(await pendingEvents(database().pool)).toMatchObject([{ state: 'waiting' }]),
    );
    jump();
    await eventually(async () => expect(await counted('count-waiting')).toEqual([31]));
    expect(messages).not.toContain('due dates are sent although not everything is known');
    await append('note-failing', noted(32));
    await eventually(async () => expect(await counted('count-failing')).toEqual([32]));
    expect(messages).toContain('due dates are sent although not everything is known');
  });

  it('that their commands leave as they are do not hold up others and are not sent again at once', async () => {
    const sent: string[] = [];
    const dueDates = countingDueDates({
      dispatch: (row, now) => {
        sent.push(row.stream);
        return row.stream === 'count-stays' ? [] : countingDueDates().dispatch(row, now);
      },
    });
    start({ dueDates: [dueDates], clock });
    await append('note-stays', noted(1));
    jump();
    await eventually(() => expect(sent).toContain('count-stays'));
    await append('note-goes', noted(12));
    await eventually(async () => expect(await counted('count-goes')).toEqual([12, 22, 32]));
    expect(sent.filter((stream) => stream === 'count-stays')).toHaveLength(1);
  });
});
