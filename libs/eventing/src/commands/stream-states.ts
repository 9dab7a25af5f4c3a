import type { EventId } from '@tapedeck/kernel';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { stateAfter, type Decider } from '../decider.ts';
import type { DomainEvent, Position, RecordedEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { contentOf, stateIn } from './snapshot-content.ts';

export type StreamStateLimits = Readonly<{
  /** Of all cached states together, in characters of their JSON. */
  maxCachedCharacters: number;
  /** After this time a state is computed from the tape again: it may contain the data of an account that was forgotten. */
  maxAgeMs: number;
  /** How many events are read at once: as many as can be computed without blocking the process. */
  pageEvents: number;
  /** After how many further events a stream gets a new snapshot. */
  snapshotEvents: number;
}>;

const defaultLimits: StreamStateLimits = {
  maxCachedCharacters: 64_000_000,
  maxAgeMs: 60_000,
  pageEvents: 100,
  snapshotEvents: 500,
};

/** The state of a stream after its events up to `version`. */
export type StreamState<State> = Readonly<{
  state: State;
  /** 0 for a stream without events, as is `position`. */
  version: number;
  position: Position;
}>;

type CachedState<State> = StreamState<State> &
  Readonly<{
    lastId: EventId | null;
    /** About the size of the state: that of its snapshot and of the events since, in characters of their JSON. */
    characters: number;
    /** The version of the stored snapshot; 0 without one. */
    snapshotVersion: number;
  }>;

/** The present state of a stream. Only the events that are new since the last call are read. */
export type ReadState<State> = (stream: string) => Promise<StreamState<State>>;

/** By stream. */
export type StateCache = LRUCache<string, CachedState<unknown>>;

const snapshotFailures = new Counter({
  name: 'tape_snapshot_failures_total',
  help: 'Snapshots of streams that could not be written; the next command on the stream tries again.',
});

const startOf = <State>(state: State): CachedState<State> => ({
  state,
  version: 0,
  position: 0n,
  lastId: null,
  characters: 0,
  snapshotVersion: 0,
});

const charactersOf = (events: readonly RecordedEvent[]): number =>
  events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);

const withEvents = <State, Event extends DomainEvent>(
  before: CachedState<State>,
  events: readonly RecordedEvent[],
  decider: Decider<State, never, Event>,
): CachedState<State> => {
  const last = events.at(-1);
  if (!last) return before;
  return {
    ...before,
    // The cast is safe: the store returns only known types, at their current version, and a category has one decider.
    state: stateAfter(decider, events as unknown as readonly Event[], before.state),
    version: last.version,
    position: last.position,
    lastId: last.id,
    characters: before.characters + charactersOf(events),
  };
};

/** The state after the given events of a stream from its first one on. */
export const stateOfHistory = <State, Event extends DomainEvent>(
  history: readonly RecordedEvent[],
  decider: Decider<State, never, Event>,
): StreamState<State> => withEvents(startOf(decider.initialState), history, decider);

export const createStateCache = ({ maxCachedCharacters, maxAgeMs }: StreamStateLimits): StateCache =>
  new LRUCache({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ characters }) => characters + 1_000,
    ttl: maxAgeMs,
    noUpdateTTL: true,
  });

/**
 * Computes the states of streams: from the state that the last call computed, or from a snapshot, or from the first event
 * on. A state is only used together with the event that it ends with: after a restore of the tape, where another event
 * may have its version, the state is computed from the first event on.
 */
export const createStateReader = <State, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, never, Event>,
  cache: StateCache,
  { pageEvents, snapshotEvents }: StreamStateLimits,
): ReadState<State> => {
  const form = decider.snapshot;

  const readPage = (stream: string, from: number): Promise<readonly RecordedEvent[]> =>
    store.readStream(stream, { from, upTo: from + pageEvents - 1 });

  const readFurther = async (stream: string, base: CachedState<State>): Promise<CachedState<State>> => {
    for (let current = base; ;) {
      const events = await readPage(stream, current.version + 1);
      current = withEvents(current, events, decider);
      if (events.length < pageEvents) return current;
    }
  };

  /** Undefined when the base does not end with an event of the stream. */
  const continueFrom = async (
    stream: string,
    base: CachedState<State>,
  ): Promise<CachedState<State> | undefined> => {
    if (base.lastId === null) return readFurther(stream, base);
    const [last, ...events] = await readPage(stream, base.version);
    if (last?.id !== base.lastId) return undefined;
    const current = withEvents(base, events, decider);
    return events.length + 1 < pageEvents ? current : readFurther(stream, current);
  };

  const readSnapshot = async (stream: string): Promise<CachedState<State> | undefined> => {
    if (!form) return undefined;
    const found = await store.snapshots.read(stream, form.version, form.subjectOf?.(stream));
    if (!found) return undefined;
    const { version, position, eventId: lastId, content } = found;
    try {
      const state = await stateIn(content, form);
      return { state, version, position, lastId, characters: content.length, snapshotVersion: version };
    } catch {
      return undefined;
    }
  };

  const compute = async (stream: string): Promise<CachedState<State>> => {
    const events = await readPage(stream, 1);
    const first = withEvents(startOf(decider.initialState), events, decider);
    if (events.length < pageEvents) return first;
    // Only a long stream has a snapshot.
    const snapshot = await readSnapshot(stream);
    return (snapshot && (await continueFrom(stream, snapshot))) ?? readFurther(stream, first);
  };

  /** A snapshot that cannot be written is computed again when it is needed: no command fails because of it. */
  const writeSnapshot = async (stream: string, current: CachedState<State>): Promise<CachedState<State>> => {
    const { state, version, position, lastId: eventId, snapshotVersion } = current;
    if (!form || eventId === null || version - snapshotVersion < snapshotEvents) return current;
    try {
      const content = await contentOf(state, form);
      const snapshot = { stream, form: form.version, version, position, eventId, content };
      await store.snapshots.write(snapshot, form.subjectOf?.(stream));
      return { ...current, characters: content.length, snapshotVersion: version };
    } catch {
      snapshotFailures.inc();
      return current;
    }
  };

  return async (stream) => {
    // The cast is safe: a stream's category has one decider.
    const cached = cache.get(stream) as CachedState<State> | undefined;
    const continued = cached && (await continueFrom(stream, cached));
    if (cached && !continued) cache.delete(stream);
    const current = await writeSnapshot(stream, continued ?? (await compute(stream)));
    cache.set(stream, current);
    return current;
  };
};

const caches = new WeakMap<EventStore, StateCache>();

/** The reader of states that all commands of this process on the store share. */
export const stateReader = <State, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, never, Event>,
): ReadState<State> => {
  const cache = caches.get(store) ?? createStateCache(defaultLimits);
  caches.set(store, cache);
  return createStateReader(store, decider, cache, defaultLimits);
};
