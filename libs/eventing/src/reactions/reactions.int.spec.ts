import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import { createMemoryEventStore } from '../adapters/memory.ts';
import { ignore, retry } from '../operations/retry-ignore-restore.ts';
import { WaitingFor } from '../reaction.ts';
import { pendingEvents } from '../reactions.ts';
import { waitForPosition } from '../projections.ts';
import { eventually } from '../testing/eventually.ts';
import {
  counters,
  countingReaction,
  countOf,
  noted,
  numberOf,
  sampleReactionTypes,
} from '../testing/sample-counters.ts';
import { reactionTests } from '../testing/sample-reactions.ts';
import { leasedCommands } from './commands.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a reaction', () => {
  const { database, store, parts, start, append, counted, history, started } = reactionTests();
  const pending = () => pendingEvents(database().pool);

  it('handles each event once and those of a key in order, while attempts of all keys fail', async () => {
    const failures = new Map<string, number>();
    const failTwice = (stream: string, n: number): void => {
      const id = `${stream} ${n}`;
      const failed = failures.get(id) ?? 0;
      if (n % 3 !== 0 || failed === 2) return;
      failures.set(id, failed + 1);
      throw new Error('try again');
    };
    start({
      batchSize: 40,
      reactions: [
        countingReaction({
          react: (event) => {
            failTwice(event.stream, numberOf(event));
            return [countOf(event)];
          },
        }),
      ],
    });
    await started('counting');
    const streams = numbers(30).map((n) => `note-order${n}`);
    await Promise.all(
      streams.map(async (stream) => {
        for (const n of numbers(12)) await append(stream, noted(n));
      }),
    );
    for (const stream of streams) {
      const counter = stream.replace('note-', 'count-');
      await eventually(async () => expect(await counted(counter)).toEqual(numbers(12)));
    }
    expect(failures.size).toBe(30 * 4);
    await eventually(async () => expect(await pending()).toEqual([]));
  });

  it('names as the cause the event, as its correlation that of the event, and as actor the system', async () => {
    start({ reactions: [countingReaction()] });
    await started('counting');
    await append('note-cause', noted(1));
    await eventually(async () => expect(await counted('count-cause')).toEqual([1]));
    const [cause] = await history('note-cause');
    const [effect] = await history('count-cause');
    expect(effect?.metadata).toMatchObject({
      causationId: cause?.id,
      correlationId: cause?.metadata.correlationId,
      actorId: 'system',
      actorKind: 'system',
    });
  });

  it('changes nothing by repeating a page, not even with commands that had nothing to do', async () => {
    let handledPages = 0;
    const reaction = countingReaction({
      begins: 'first',
      react: (event) => [countOf(event, { ifOther: true })],
    });
    await append('note-twice', noted(0), noted(1), noted(1), noted(2), noted(1));
    start({
      reactions: [reaction],
      onPoint: (point) => {
        // As if the process had died: the checkpoint was not moved.
        if (point === 'page-handled' && ++handledPages <= 3) throw new Error('died');
      },
    });
    await eventually(async () => expect(await counted('count-twice')).toEqual([1, 2, 1]));
    await eventually(() => expect(handledPages).toBeGreaterThan(3));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(await counted('count-twice')).toEqual([1, 2, 1]);
  });

  it('runs in one of several processes, and another one continues when it stops', async () => {
    const first = start({ reactions: [countingReaction()] });
    await started('counting');
    start({ reactions: [countingReaction()] });
    for (const n of numbers(40)) {
      if (n === 20) void first.stop();
      await append(`note-two${n % 4}`, noted(n));
    }
    for (const rest of [0, 1, 2, 3]) {
      const expected = numbers(40).filter((n) => n % 4 === rest);
      await eventually(async () => expect(await counted(`count-two${rest}`)).toEqual(expected));
    }
  });

  it('parks an event that was refused, with the later ones of its key behind it, and no other key', async () => {
    let isRefused = true;
    let tries = 0;
    const react = countingReaction().react;
    start({
      reactions: [
        countingReaction({
          react: (event, read) => {
            if (numberOf(event) === 2) tries += 1;
            if (isRefused && numberOf(event) === 2)
              throw new DomainError('conflict', 'NOT_NOW', 'Not at this time.');
            return react(event, read);
          },
        }),
      ],
    });
    await started('counting');
    await append('note-parked', noted(1), noted(2), noted(3));
    await append('note-other', noted(1), noted(3));
    await eventually(async () => expect(await counted('count-other')).toEqual([1, 3]));
    await append('note-parked', noted(4));
    await eventually(async () =>
      expect(await pending()).toMatchObject([
        {
          reaction: 'counting',
          key: 'note-parked',
          streamVersion: 2,
          type: 'Noted',
          state: 'parked',
          attempts: 1,
          error: 'NOT_NOW: Not at this time.',
          nextAttemptAt: null,
        },
        { streamVersion: 3, state: 'behind', attempts: 0 },
        { streamVersion: 4, state: 'behind', attempts: 0 },
      ]),
    );
    const [parked, behind] = (await pending()).map(({ position }) => position);
    await retry(parts(), 'counting', behind === undefined ? [] : [behind]);
    expect(await pending()).toMatchObject([{ state: 'parked' }, { state: 'behind' }, {}]);
    await retry(parts(), 'counting', parked === undefined ? [] : [parked]);
    await eventually(() => expect(tries).toBe(2));
    await eventually(async () =>
      expect(await pending()).toMatchObject([{ state: 'parked', attempts: 1 }, {}, {}]),
    );
    isRefused = false;
    await retry(parts(), 'counting');
    await eventually(async () => expect(await counted('count-parked')).toEqual([1, 2, 3, 4]));
    await eventually(async () => expect(await pending()).toEqual([]));
  });

  it('continues after a parked event that is ignored, and refuses to ignore one that is not parked', async () => {
    start({
      maxAttempts: 2,
      reactions: [
        countingReaction({
          react: (event) => {
            if (numberOf(event) < 3) throw new Error('always');
            return [countOf(event)];
          },
        }),
      ],
    });
    await started('counting');
    await append('note-ignored', noted(1), noted(2), noted(3));
    for (const version of [1, 2]) {
      await eventually(async () =>
        expect((await pending())[0]).toMatchObject({ streamVersion: version, state: 'parked', attempts: 2 }),
      );
      const [parked, behind] = await pending();
      expect(await ignore(parts(), 'counting', behind?.position ?? 0n)).toBe(false);
      expect(await ignore(parts(), 'counting', parked?.position ?? 0n)).toBe(true);
    }
    await eventually(async () => expect(await counted('count-ignored')).toEqual([3]));
  });

  it('tries an event without a known cause again until the cause is there, and says what it waits for', async () => {
    let isThere = false;
    start({
      maxAttempts: 2,
      maxBackoffMs: 10,
      reactions: [
        countingReaction({
          react: async (event, read) => {
            const last = await read(counters, 'count-cause-of');
            if (last !== 7) throw new WaitingFor('the number 7');
            isThere = true;
            return [countOf(event)];
          },
        }),
      ],
    });
    await started('counting');
    await append('note-waiting', noted(1));
    await eventually(async () => {
      const [one] = await pending();
      expect(one).toMatchObject({ state: 'waiting', waitingFor: 'the number 7' });
      expect(one?.attempts).toBeGreaterThan(2);
    });
    await append('count-cause-of', { ...noted(7), type: 'Counted' });
    await eventually(async () => expect(await counted('count-waiting')).toEqual([1]));
    expect(isThere).toBe(true);
  });

  it('that is new begins after the last event of the tape if it says so, and continues where it was', async () => {
    await append('note-new', noted(1));
    const first = start({ reactions: [countingReaction()] });
    await started('counting');
    await append('note-new', noted(2));
    await eventually(async () => expect(await counted('count-new')).toEqual([2]));
    await first.stop();
    await append('note-new', noted(3));
    start({ reactions: [countingReaction()] });
    await eventually(async () => expect(await counted('count-new')).toEqual([2, 3]));
  });

  it('that has lost its lease neither moves the checkpoint nor stores that an event failed', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let entered = 0;
    const first = start({
      leaseMs: 60_000,
      reactions: [
        countingReaction({
          react: async (event) => {
            entered += 1;
            await gate;
            throw new Error(`the number ${numberOf(event)} was refused`);
          },
        }),
      ],
    });
    await started('counting');
    await append('note-lost', noted(1));
    await eventually(() => expect(entered).toBe(1));
    await database().pool.query(`update projection_checkpoints set lease_until = clock_timestamp()`);
    start({ reactions: [countingReaction()] });
    await eventually(async () => expect(await counted('count-lost')).toEqual([1]));
    open();
    await append('note-lost', noted(2));
    await eventually(async () => expect(await counted('count-lost')).toEqual([1, 2]));
    await first.stop();
    expect(await pending()).toEqual([]);
  });

  it('executes no command once its lease may have expired, even on a state that it has read before', async () => {
    const memory = createMemoryEventStore({ types: sampleReactionTypes });
    const commands = leasedCommands(memory, () => {
      throw new Error('the lease has expired');
    });
    const context = {
      commandId: 'c0ffee00-0000-4000-8000-000000000000' as never,
      actor: { id: 'system', kind: 'system' },
      now: '2026-11-21T12:00:00.000Z',
      correlationId: 'test',
    };
    const sent = commands.send(
      { target: counters as never, stream: 'count-late', command: { n: 1 } },
      context,
    );
    await expect(sent).rejects.toThrow('the lease has expired');
    expect(await memory.readStream('count-late')).toEqual([]);
  });

  it('does not run on a tape that does not contain what it has handled', async () => {
    const first = start({ reactions: [countingReaction({ begins: 'first' })] });
    await append('note-tape', noted(1));
    await eventually(async () => expect(await counted('count-tape')).toEqual([1]));
    expect(await waitForPosition(database().pool, 'counting', await store().head(), 20_000)).toBe(true);
    await first.stop();
    await database().pool.query(`update projection_checkpoints set event_id = gen_random_uuid()`);
    start({ reactions: [countingReaction()] });
    await append('note-tape', noted(2));
    await eventually(async () => {
      const { rows } = await database().pool.query('select last_error_code from projection_checkpoints');
      expect(rows).toEqual([{ last_error_code: 'REACTION_OF_ANOTHER_TAPE' }]);
    });
    expect(await counted('count-tape')).toEqual([1]);
  });
});
