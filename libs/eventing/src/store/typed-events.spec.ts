import { describe, expect, it } from '@jest/globals';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { Decider } from '../decider.ts';
import { defineEvents, type Personal, type Sealed } from '../event-types.ts';
import type { DomainEvent } from '../event.ts';
import { commandTarget, defineEffect, defineReaction, dispatch, type ReadStream } from '../reaction.ts';
import { recordedEvent, sampleEvent } from '../testing/sample-events.ts';
import { isEventOf, readEvents, readStates, typedEvents } from './typed-events.ts';

type DoorOpened = DomainEvent<'DoorOpened', { by: string }>;
type DoorShut = DomainEvent<'DoorShut', { at: string; note: Personal<string>; keeper: string }>;
type DoorEvent = DoorOpened | DoorShut;

const doorEvents = defineEvents<DoorEvent>({
  DoorOpened: { version: 1 },
  DoorShut: { version: 1, personal: ['note'], subject: 'keeper' },
});

const doorDecider: Decider<'open' | 'shut', { type: 'Open'; by: string }, DoorEvent> = {
  initialState: 'shut',
  decide: ({ by }) => [{ type: 'DoorOpened', data: { by } }],
  evolve: (_, { type }) => (type === 'DoorOpened' ? 'open' : 'shut'),
};

const doors = commandTarget(doorDecider, doorEvents);

const opened = sampleEvent('DoorOpened', { by: 'Ada' });
const shut = sampleEvent('DoorShut', { at: 'noon', note: 'locked', keeper: 'ada' });
const other = sampleEvent('BellRung', { times: 2 });

const storeWith = async (...events: readonly (typeof opened)[]) => {
  const types = {
    DoorOpened: { version: 1 },
    DoorShut: { version: 1 },
    BellRung: { version: 1 },
  };
  const store = createMemoryEventStore({ types });
  await store.append('door-1', 'NO_STREAM', events);
  return store;
};

const noStreams: ReadStream = () => Promise.reject(new Error('There are no streams.'));

describe('the events of a stream, read with their types', () => {
  it('are those of the union of the event types', async () => {
    const events = await readEvents(await storeWith(opened, shut), 'door-1', doorEvents);
    expect(events.map((event) => (event.type === 'DoorOpened' ? event.data.by : event.data.at))).toEqual([
      'Ada',
      'noon',
    ]);
  });

  it('are refused when one of them is of another type, with its name', async () => {
    const store = await storeWith(opened, other);
    await expect(readEvents(store, 'door-1', doorEvents)).rejects.toThrow('door-1 contains BellRung');
    expect(() => typedEvents([recordedEvent(other)], doorEvents)).toThrow('BellRung');
  });

  it('can be read from a version on', async () => {
    const events = await readEvents(await storeWith(opened, shut), 'door-1', doorEvents, { from: 2 });
    expect(events.map(({ type }) => type)).toEqual(['DoorShut']);
  });
});

describe('events of several categories', () => {
  const events = [recordedEvent(opened), recordedEvent(shut), recordedEvent(other)];

  it('are filtered by the event types of a module', () => {
    expect(events.filter(isEventOf(doorEvents)).map(({ type }) => type)).toEqual(['DoorOpened', 'DoorShut']);
  });

  it('are filtered by some of the event types of a module', () => {
    const ofOne = events.filter(isEventOf(doorEvents, 'DoorOpened'));
    expect(ofOne.map(({ data }) => data.by)).toEqual(['Ada']);
  });
});

describe('a reaction and an effect of a union', () => {
  const reaction = defineReaction<DoorOpened>({
    name: 'doors-react',
    types: { DoorOpened: true },
    keyOf: ({ data }) => data.by,
    concerns: ({ data }) => data.by !== 'nobody',
    react: ({ stream, data }) => [dispatch(doors, stream, { type: 'Open', by: data.by })],
  });

  it('have the names of the types that they are defined with', () => {
    const effect = defineEffect<DoorEvent>({
      name: 'doors-effect',
      types: doorEvents,
      afterReplay: ({ type }) => (type === 'DoorOpened' ? 'run' : 'skip'),
      run: () => Promise.resolve([]),
    });
    expect(reaction.types).toEqual(['DoorOpened']);
    expect(effect.types).toEqual(['DoorOpened', 'DoorShut']);
  });

  it('get the events that the runner has read', async () => {
    const event = recordedEvent(opened, { stream: 'door-7' });
    expect(reaction.keyOf?.(event)).toBe('Ada');
    expect(reaction.concerns?.(event)).toBe(true);
    expect(await reaction.react(event, noStreams)).toMatchObject([
      { stream: 'door-7', command: { type: 'Open', by: 'Ada' } },
    ]);
  });
});

it('reads the state of a stream as it is now', async () => {
  const store = await storeWith(opened);
  const read = readStates(store);
  expect(await read(doors, 'door-1')).toBe('open');
  await store.append('door-1', 1, [shut]);
  expect(await read(doors, 'door-1')).toBe('shut');
});

/** Only the type check reads these functions; it fails when a line after `@ts-expect-error` compiles. */
const wrongTypes = {
  ofDefinitions: () => {
    // @ts-expect-error -- DoorShut has no entry
    defineEvents<DoorEvent>({ DoorOpened: { version: 1 } });
    // @ts-expect-error -- the union has no such type
    defineEvents<DoorOpened>({ DoorOpened: { version: 1 }, DoorLocked: { version: 1 } });
  },
  ofReactions: () => {
    const rest = { name: 'doors', react: () => [] };
    // @ts-expect-error -- DoorShut has no entry in `types`
    defineReaction<DoorEvent>({ ...rest, types: { DoorOpened: true } });
    // @ts-expect-error -- the union has no such type
    defineReaction<DoorOpened>({ ...rest, types: { DoorOpened: true, DoorLocked: true } });
    defineReaction<DoorOpened>({
      ...rest,
      types: { DoorOpened: true },
      // @ts-expect-error -- DoorOpened has no field `at`
      keyOf: ({ data }) => data.at,
      // @ts-expect-error -- `by` is a text
      concerns: ({ data }) => data.by > 3,
    });
    defineReaction<DoorEvent>({
      name: 'doors',
      types: doorEvents,
      // @ts-expect-error -- only DoorOpened has the field `by`
      react: ({ data }) => [dispatch(doors, data.by, { type: 'Open', by: '' })],
    });
  },
  ofEffects: () => {
    defineEffect<DoorEvent>({
      name: 'doors',
      types: doorEvents,
      // @ts-expect-error -- the union has no such type
      afterReplay: ({ type }) => (type === 'DoorLocked' ? 'run' : 'skip'),
      run: (event) => {
        if (event.type === 'DoorOpened') return Promise.resolve([]);
        // @ts-expect-error -- DoorShut is not handled
        event satisfies never;
        return Promise.resolve([]);
      },
      // @ts-expect-error -- only DoorOpened has the field `by`
      runTogether: ([event]) => Promise.reject(new Error(event?.data.by)),
    });
  },
  ofReaders: async () => {
    const store = await storeWith();
    const [event] = await readEvents(store, 'door-1', doorEvents);
    // @ts-expect-error -- which of the types it is was not asked
    event?.data.by satisfies string | undefined;
    // @ts-expect-error -- DoorShut has no field `by`
    if (event?.type === 'DoorShut') event.data.by satisfies string;
    // @ts-expect-error -- a personal field may be forgotten
    if (event?.type === 'DoorShut') event.data.note satisfies string;
    // @ts-expect-error -- it was read in clear
    if (event?.type === 'DoorShut') event.data.note satisfies Sealed<string>;
    const [sealed] = await readEvents(store, 'door-1', doorEvents, { form: 'sealed' });
    if (sealed?.type === 'DoorShut') sealed.data.note satisfies Sealed<string>;
    // @ts-expect-error -- `stored` has the fields of former versions, so it has no types
    await readEvents(store, 'door-1', doorEvents, { form: 'stored' });
    // @ts-expect-error -- the module has no such type
    isEventOf(doorEvents, 'DoorLocked');
    // @ts-expect-error -- of DoorOpened alone
    [recordedEvent(shut)].filter(isEventOf(doorEvents, 'DoorOpened')).map(({ data }) => data.at);
  },
  ofCommands: () => {
    // @ts-expect-error -- the event types lack DoorShut, which the decider returns
    commandTarget(doorDecider, { DoorOpened: { version: 1 } });
  },
};

it.each(Object.entries(wrongTypes))('wrong types %s do not compile', (_, examples) => {
  expect(examples).toBeInstanceOf(Function);
});
