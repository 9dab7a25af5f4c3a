import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { commandId, DomainError, fixedClock, newId, type CommandId } from '@tapedeck/kernel';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { commandContext, handle, type CommandContext } from './handle.ts';
import { sampleEvent } from '../testing/sample-events.ts';

type Added = DomainEvent<'Added', { amount: number }>;
type Add = Readonly<{ amounts: readonly number[] }>;

const adder: Decider<number, Add, Added> = {
  initialState: 0,
  decide: ({ amounts }, sum) => {
    if (sum + amounts.reduce((a, b) => a + b, 0) > 100) throw new DomainError('conflict', 'TOO_MUCH', 'No.');
    return amounts.map((amount) => ({ type: 'Added', data: { amount } }));
  },
  evolve: (sum, { data }) => sum + data.amount,
};
const types = { Added: { version: 1 } };

const context = (command: CommandId = commandId(newId())): CommandContext => ({
  commandId: command,
  actor: { id: 'someone', kind: 'member' },
  now: '2026-11-21T12:00:00.000Z',
  correlationId: 'request-1',
});

describe('handle', () => {
  let store: EventStore;
  beforeEach(() => {
    store = createMemoryEventStore({ types });
  });

  it('appends the decided events, and returns version, position and state', async () => {
    const add = handle(store, adder, types);
    const command = context();
    expect(await add('sum-1', { amounts: [1, 2] }, command)).toEqual({
      version: 2,
      position: 2n,
      changed: true,
      firstVersion: 1,
      state: 3,
    });
    const [event] = await store.readStream('sum-1');
    expect(event?.metadata).toEqual({
      actorId: 'someone',
      actorKind: 'member',
      occurredAt: '2026-11-21T12:00:00.000Z',
      correlationId: 'request-1',
      causationId: command.commandId,
    });
  });

  it('appends nothing when no event is decided or a rule forbids the command', async () => {
    const add = handle(store, adder, types);
    expect(await add('sum-1', { amounts: [] }, context())).toEqual({
      version: 0,
      position: 0n,
      changed: false,
      firstVersion: null,
      state: 0,
    });
    await expect(add('sum-1', { amounts: [101] }, context())).rejects.toMatchObject({ code: 'TOO_MUCH' });
    expect(await store.head()).toBe(0n);
  });

  it('does not execute a repeated command again', async () => {
    const add = handle(store, adder, types);
    const command = context();
    await add('sum-1', { amounts: [60] }, command);
    await add('sum-1', { amounts: [40] }, context());
    expect(await add('sum-1', { amounts: [60] }, command)).toEqual({
      version: 2,
      position: 2n,
      changed: false,
      firstVersion: 1,
      state: 100,
    });
  });

  it('knows the events of a command whose first answer was lost', async () => {
    const losingAnswers: EventStore = {
      ...store,
      append: async (...append) => {
        await store.append(...append);
        return store.append(...append);
      },
    };
    await handle(store, adder, types)('sum-1', { amounts: [60] }, context());
    const add = handle(losingAnswers, adder, types);
    expect(await add('sum-1', { amounts: [30] }, context())).toMatchObject({ firstVersion: 2, state: 90 });
  });

  it('decides again after a version conflict, so that concurrent commands break no rule', async () => {
    const add = handle(store, adder, types);
    const results = await Promise.allSettled(
      Array.from({ length: 7 }, () => add('sum-1', { amounts: [30] }, context())),
    );
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(codes).toEqual(['TOO_MUCH', 'TOO_MUCH', 'TOO_MUCH', 'TOO_MUCH']);
    expect((await store.readStream('sum-1')).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('uses the given history, and reads the stream again after a conflict', async () => {
    const add = handle(store, adder, types);
    const history = await store.readStream('sum-1');
    const readStream = jest.spyOn(store, 'readStream');
    const sum = handle(store, adder, types);
    expect((await sum('sum-1', { amounts: [1] }, context(), { history })).version).toBe(1);
    expect(readStream).not.toHaveBeenCalled();
    await add('sum-1', { amounts: [1] }, context());
    readStream.mockClear();
    const afterConflict = await sum('sum-1', { amounts: [1] }, context(), { history });
    expect([afterConflict.version, afterConflict.state, readStream.mock.calls.length]).toEqual([3, 3, 1]);
  });

  it('reports the position of the outcome, also of a repeated command', async () => {
    const add = handle(store, adder, types);
    const positions: bigint[] = [];
    const command = { ...context(), onPosition: (position: bigint) => positions.push(position) };
    await add('sum-1', { amounts: [1, 2] }, command);
    await add('sum-1', { amounts: [1, 2] }, command);
    expect(positions).toEqual([2n, 2n]);
  });

  it('fails with STREAM_BUSY after too many conflicts', async () => {
    const alwaysConflicting: EventStore = {
      ...store,
      append: async (stream, expected, events) => {
        await store.append(stream, 'ANY', [sampleEvent('Added', { amount: 1 })]);
        return store.append(stream, expected, events);
      },
    };
    const add = handle(alwaysConflicting, adder, types);
    await expect(add('sum-1', { amounts: [1] }, context())).rejects.toMatchObject({ code: 'STREAM_BUSY' });
  });
});

describe('commandContext', () => {
  const clock = fixedClock(Date.parse('2026-11-21T12:00:00.000Z'));
  const actor = { id: 'someone', kind: 'member' };

  it('makes the context of a new command that correlates with itself', () => {
    const made = commandContext({ actor, clock });
    expect(made).toEqual({
      commandId: made.commandId,
      actor,
      now: '2026-11-21T12:00:00.000Z',
      correlationId: made.commandId,
    });
    expect(commandContext({ actor, clock }).commandId).not.toBe(made.commandId);
  });

  it('uses the ids that the caller gives', () => {
    const given = { commandId: commandId(newId()), correlationId: 'import-1', causationId: 'event-1' };
    expect(commandContext({ actor, clock, ...given })).toMatchObject(given);
  });
});
