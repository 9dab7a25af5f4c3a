import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { commandId, DomainError, fixedClock, newId, type CommandId } from '@tapedeck/kernel';
import { createMemoryEventStore } from './adapters/memory.ts';
import type { Decider } from './decider.ts';
import type { DomainEvent } from './event.ts';
import type { EventStore } from './event-store.ts';
import { commandContext, handle, type CommandContext } from './handle.ts';
import { sampleEvent } from './testing/sample-events.ts';

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

describe('handling a command', () => {
  let store: EventStore;
  beforeEach(() => {
    store = createMemoryEventStore({ types });
  });

  it('appends what is decided, and says where it stands and what it amounts to', async () => {
    const add = handle(store, adder, types);
    const command = context();
    expect(await add('sum-1', { amounts: [1, 2] }, command)).toEqual({
      version: 2,
      position: 2n,
      changed: true,
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

  it('appends nothing when nothing follows, or a rule forbids it', async () => {
    const add = handle(store, adder, types);
    expect(await add('sum-1', { amounts: [] }, context())).toEqual({
      version: 0,
      position: 0n,
      changed: false,
      state: 0,
    });
    await expect(add('sum-1', { amounts: [101] }, context())).rejects.toMatchObject({ code: 'TOO_MUCH' });
    expect(await store.head()).toBe(0n);
  });

  it('answers a repeated command as it was answered before, without deciding again', async () => {
    const add = handle(store, adder, types);
    const command = context();
    await add('sum-1', { amounts: [60] }, command);
    await add('sum-1', { amounts: [40] }, context());
    expect(await add('sum-1', { amounts: [60] }, command)).toEqual({
      version: 2,
      position: 2n,
      changed: false,
      state: 100,
    });
  });

  it('decides again when another writer was faster, so that no rule is broken', async () => {
    const add = handle(store, adder, types);
    const results = await Promise.allSettled(
      Array.from({ length: 7 }, () => add('sum-1', { amounts: [30] }, context())),
    );
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(codes).toEqual(['TOO_MUCH', 'TOO_MUCH', 'TOO_MUCH', 'TOO_MUCH']);
    expect((await store.readStream('sum-1')).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('decides on a history that was read already, and reads the stream again after a conflict', async () => {
    const add = handle(store, adder, types);
    const history = await store.readStream('sum-1');
    const readStream = jest.spyOn(store, 'readStream');
    const sum = handle(store, adder, types);
    expect((await sum('sum-1', { amounts: [1] }, context(), { history })).version).toBe(1);
    expect(readStream).not.toHaveBeenCalled();
    await add('sum-1', { amounts: [1] }, context());
    readStream.mockClear();
    const late = await sum('sum-1', { amounts: [1] }, context(), { history });
    expect([late.version, late.state, readStream.mock.calls.length]).toEqual([3, 3, 1]);
  });

  it('reports the position of the outcome, of a repeated command too', async () => {
    const add = handle(store, adder, types);
    const positions: bigint[] = [];
    const command = { ...context(), onPosition: (position: bigint) => positions.push(position) };
    await add('sum-1', { amounts: [1, 2] }, command);
    await add('sum-1', { amounts: [1, 2] }, command);
    expect(positions).toEqual([2n, 2n]);
  });

  it('gives up with a clear error when it always comes too late', async () => {
    const overtaken: EventStore = {
      ...store,
      append: async (stream, expected, events) => {
        await store.append(stream, 'ANY', [sampleEvent('Added', { amount: 1 })]);
        return store.append(stream, expected, events);
      },
    };
    const add = handle(overtaken, adder, types);
    await expect(add('sum-1', { amounts: [1] }, context())).rejects.toMatchObject({ code: 'STREAM_BUSY' });
  });
});

describe('commandContext', () => {
  const clock = fixedClock(Date.parse('2026-11-21T12:00:00.000Z'));
  const actor = { id: 'someone', kind: 'member' };

  it('makes a new command that correlates with itself', () => {
    const made = commandContext({ actor, clock });
    expect(made).toEqual({
      commandId: made.commandId,
      actor,
      now: '2026-11-21T12:00:00.000Z',
      correlationId: made.commandId,
    });
    expect(commandContext({ actor, clock }).commandId).not.toBe(made.commandId);
  });

  it('keeps the ids that the caller gives', () => {
    const given = { commandId: commandId(newId()), correlationId: 'import-1', causationId: 'event-1' };
    expect(commandContext({ actor, clock, ...given })).toMatchObject(given);
  });
});
