import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../event.ts';
import { retry } from '../operations/retry-ignore-restore.ts';
import type { AfterReplay, EffectContext } from '../reaction.ts';
import { pendingEvents } from '../reactions.ts';
import { eventually } from '../testing/eventually.ts';
import { countingEffect, countingReaction, countOf, noted, numberOf } from '../testing/sample-counters.ts';
import { reactionTests } from '../testing/sample-reactions.ts';

describe('an effect', () => {
  const { database, parts, start, append, counted, history, started } = reactionTests();
  const pending = () => pendingEvents(database().pool);

  /** A service outside: it does what it is asked to once per key, and may then lose its answer. */
  const createService = (losesAnswer: (call: number) => boolean) => {
    const done = new Map<string, number>();
    let calls = 0;
    return {
      done,
      calls: () => calls,
      call: ({ key }: EffectContext, n: number): void => {
        calls += 1;
        if (!done.has(key)) done.set(key, n);
        if (losesAnswer(calls)) throw new Error('socket hang up');
      },
    };
  };

  it('repeats an outside call whose answer was lost with the same key, so that it is done once', async () => {
    const service = createService((call) => call % 3 !== 0);
    start({
      effects: [
        countingEffect({
          run: async (event, context) => {
            service.call(context, numberOf(event));
            return [countOf(event)];
          },
        }),
      ],
    });
    await started('calling');
    await append('note-lost', noted(1), noted(2), noted(3));
    await eventually(async () => expect(await counted('count-lost')).toEqual([1, 2, 3]));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect([...service.done.values()]).toEqual([1, 2, 3]);
    expect(service.calls()).toBe(9);
  });

  it('keeps its event until its commands were executed, and names the event as their cause', async () => {
    const keys: string[] = [];
    start({
      effects: [
        countingEffect({
          run: async (event, { key }) => {
            keys.push(key);
            return [countOf(event)];
          },
        }),
      ],
      onPoint: (point) => {
        if (point === 'effect-recorded' && keys.length === 1) throw new Error('died');
      },
    });
    await started('calling');
    await append('note-recorded', noted(1));
    await eventually(async () => expect(await pending()).toEqual([]));
    await eventually(() => expect(keys).toHaveLength(2));
    expect(new Set(keys).size).toBe(1);
    const [cause] = await history('note-recorded');
    const recorded = await history('count-recorded');
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.metadata.causationId).toBe(cause?.id);
  });

  it('is not run for what a replay has appended, unless it only reads: it is skipped, or held until it is released', async () => {
    const ran: string[] = [];
    const effect = (name: string, afterReplay: AfterReplay) =>
      countingEffect({
        name,
        afterReplay,
        run: async (event) => {
          ran.push(`${name} ${event.stream} ${numberOf(event)}`);
          return [];
        },
      });
    start({ effects: [effect('reading', 'run'), effect('mailing', 'skip'), effect('writing', 'hold')] });
    for (const name of ['reading', 'mailing', 'writing']) await started(name);
    const ofReplay = { ...noted(1), metadata: { ...noted(1).metadata, replayId: 'r1' } };
    await append('note-replayed', ofReplay, noted(2));
    const expected = ['mailing 2', 'reading 1', 'reading 2', 'writing 2'];
    await eventually(() =>
      expect(ran.map((one) => one.replace('note-replayed ', '')).sort()).toEqual(expected),
    );
    await eventually(async () =>
      expect(await pending()).toMatchObject([{ reaction: 'writing', state: 'parked', isHeld: true }]),
    );
    expect(await pendingEvents(database().pool, { isHeld: false })).toEqual([]);
    const [held] = await pendingEvents(database().pool, { isHeld: true });
    await retry(parts(), 'writing', held ? [held.position] : []);
    await eventually(() => expect(ran).toContain('writing note-replayed 1'));
    await eventually(async () => expect(await pending()).toEqual([]));
  });

  it('holds what the reactions to a replayed event cause in turn', async () => {
    const ran: number[] = [];
    start({
      reactions: [countingReaction()],
      effects: [
        countingEffect({
          name: 'after',
          types: ['Counted'],
          afterReplay: 'hold',
          run: async (event) => {
            ran.push(numberOf(event));
            return [];
          },
        }),
      ],
    });
    await started('counting');
    await started('after');
    await append('note-chain', { ...noted(1), metadata: { ...noted(1).metadata, replayId: 'r2' } });
    await eventually(async () =>
      expect(await pending()).toMatchObject([{ reaction: 'after', isHeld: true }]),
    );
    expect((await history('count-chain'))[0]?.metadata['replayId']).toBe('r2');
    expect(ran).toEqual([]);
  });

  it('reads on past its limit of pending events when these wait for a person', async () => {
    const isForeign = (event: RecordedEvent): boolean => numberOf(event) < 0;
    const run = async (event: RecordedEvent) => {
      if (isForeign(event)) throw new Error('refused');
      return [countOf(event)];
    };
    start({ maxPending: 3, maxAttempts: 1, effects: [countingEffect({ run })] });
    await started('calling');
    for (const stream of ['note-x', 'note-y', 'note-z']) await append(stream, noted(-1), noted(2));
    await eventually(async () =>
      expect((await pending()).filter(({ state }) => state === 'parked')).toHaveLength(3),
    );
    await append('note-full', noted(1));
    await eventually(async () => expect(await counted('count-full')).toEqual([1]));
    await eventually(async () => expect(await pending()).toHaveLength(6));
  });

  it('is aborted after its time limit and tried again, while other keys continue', async () => {
    let aborted = 0;
    const waitForAbort = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(new Error('aborted'));
        });
      });
    start({
      attemptMs: 40,
      effects: [
        countingEffect({
          run: async (event, { signal, attempt }) => {
            if (numberOf(event) === 1 && attempt === 1) await waitForAbort(signal);
            return [countOf(event)];
          },
        }),
      ],
      minBackoffMs: 2_000,
    });
    await started('calling');
    await append('note-slow', noted(1));
    await append('note-fast', noted(2));
    await eventually(async () => expect(await counted('count-fast')).toEqual([2]));
    await eventually(async () =>
      expect(await pending()).toMatchObject([{ state: 'retrying', error: 'No result after 0.04 s.' }]),
    );
    await eventually(async () => expect(await counted('count-slow')).toEqual([1]));
    expect(aborted).toBe(1);
  });

  it('that has lost its lease leaves the row of its event to its successor', async () => {
    const gates: (() => void)[] = [];
    const waiting = () =>
      countingEffect({
        run: async (event) => {
          await new Promise<void>((resolve) => gates.push(resolve));
          return [countOf(event)];
        },
      });
    const first = start({ effects: [waiting()], leaseMs: 60_000 });
    await started('calling');
    await append('note-fenced', noted(1), noted(2));
    await eventually(() => expect(gates).toHaveLength(1));
    await database().pool.query('update projection_checkpoints set lease_until = clock_timestamp()');
    start({ effects: [waiting()] });
    await eventually(() => expect(gates).toHaveLength(2));
    gates[0]?.();
    await first.stop();
    expect((await pending()).map(({ streamVersion }) => streamVersion)).toEqual([1, 2]);
    gates[1]?.();
    await eventually(() => expect(gates).toHaveLength(3));
    gates[2]?.();
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(await counted('count-fenced')).toEqual([1, 2]);
  });

  it('stores no row for an event that does not concern it', async () => {
    const handled: number[] = [];
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    start({
      effects: [
        countingEffect({
          concerns: (event) => numberOf(event) !== 2,
          run: async (event) => {
            await gate;
            handled.push(numberOf(event));
            return [];
          },
        }),
      ],
    });
    await started('calling');
    await append('note-concern', noted(1), noted(2), noted(3));
    await eventually(async () =>
      expect((await pending()).map(({ streamVersion }) => streamVersion)).toEqual([1, 3]),
    );
    release();
    await eventually(() => expect(handled).toEqual([1, 3]));
  });

  it('handles the events of a key that wait together, and the first of them alone when that fails', async () => {
    const attempts: (readonly number[])[] = [];
    const handle = async (events: readonly RecordedEvent[]) => {
      attempts.push(events.map(numberOf));
      if (attempts.length === 1) throw new Error('try again');
      return events.map((event) => countOf(event));
    };
    start({ effects: [countingEffect({ run: (event) => handle([event]), runTogether: handle })] });
    await started('calling');
    await append('note-together', noted(1), noted(2), noted(3));
    await eventually(() => expect(attempts).toEqual([[1, 2, 3], [1], [2, 3]]));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(await counted('count-together')).toEqual([1, 2, 3]);
  });

  it('that died after its commands sends new ones when further events are handled together with the first', async () => {
    const lastOf = async (events: readonly RecordedEvent[]) =>
      events.slice(-1).map((event) => countOf(event));
    const effect = countingEffect({ run: (event) => lastOf([event]), runTogether: lastOf });
    const gates: (() => void)[] = [];
    start({
      effects: [effect],
      leaseMs: 60_000,
      onPoint: async (point) => {
        if (point === 'effect-recorded') await new Promise<void>((resolve) => gates.push(resolve));
      },
    });
    await started('calling');
    await append('note-further', noted(1));
    await eventually(() => expect(gates).toHaveLength(1));
    await append('note-further', noted(2));
    await eventually(async () => expect(await pending()).toHaveLength(2));
    await database().pool.query('update projection_checkpoints set lease_until = clock_timestamp()');
    start({ effects: [effect] });
    await eventually(async () => expect(await pending()).toEqual([]));
    gates[0]?.();
    expect(await counted('count-further')).toEqual([1, 2]);
  });

  it('is interrupted when it is stopped, and what it had begun is repeated', async () => {
    const attempts: number[] = [];
    const effect = countingEffect({
      run: async (event, { signal, attempt }) => {
        attempts.push(attempt);
        if (attempts.length === 1) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          });
        }
        return [countOf(event)];
      },
    });
    const first = start({ effects: [effect] });
    await started('calling');
    await append('note-stopped', noted(1));
    await eventually(() => expect(attempts).toEqual([1]));
    await first.stop();
    expect(await pending()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    start({ effects: [effect] });
    await eventually(async () => expect(await counted('count-stopped')).toEqual([1]));
    expect(attempts).toEqual([1, 1]);
  });
});
