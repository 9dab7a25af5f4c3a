import { replayIdName, type RecordedEvent } from '../event.ts';
import { keyOf } from '../runner/fold-batch.ts';
import { attemptEvents } from './attempt.ts';
import { blockedKeys, heldFor, type Failure, type PendingEvent } from './pending-rows.ts';
import { RunEnded, type Consumer, type ConsumerRun } from './consumer.ts';

const pendingOf = (key: string, event: RecordedEvent, failure?: Failure): PendingEvent => ({
  position: event.position,
  key,
  stream: event.stream,
  streamVersion: event.version,
  type: event.type,
  failure,
});

/** One that cannot be read is handled in any case, so that somebody learns about it. */
const concerning = ({ concerns }: Consumer, events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  concerns ? events.filter((event) => event.unreadable !== undefined || concerns(event)) : events;

const groupByKey = (
  { consumer }: ConsumerRun,
  events: readonly RecordedEvent[],
): ReadonlyMap<string, readonly RecordedEvent[]> => {
  const groups = new Map<string, RecordedEvent[]>();
  for (const event of concerning(consumer, events)) {
    const key = keyOf(consumer, event);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
};

/**
 * Handles the events of one key in order, and returns those that remain pending: the one that failed and the later ones.
 * After an event whose repetition might not be recognised the later ones remain too: they are handled when it can no
 * longer be repeated.
 */
const handleKey = async (
  run: ConsumerRun,
  key: string,
  events: readonly RecordedEvent[],
): Promise<readonly PendingEvent[]> => {
  const laterThan = (index: number): readonly PendingEvent[] =>
    events.slice(index + 1).map((event) => pendingOf(key, event));
  for (const [index, event] of events.entries()) {
    if (run.signal.aborted) throw new RunEnded('stopped');
    const result = await attemptEvents(run, () => Promise.resolve([event]), 1);
    if (result.outcome === 'interrupted') throw new RunEnded('interrupted');
    if (result.outcome === 'failed') return [pendingOf(key, event, result.failure), ...laterThan(index)];
    if (!result.repeatable) return laterThan(index);
  }
  return [];
};

const byPosition = (a: PendingEvent, b: PendingEvent): number => (a.position < b.position ? -1 : 1);

const heldFailure: Failure = {
  error:
    'A replay has caused it, and a replay changes nothing outside: have it tried again if it is to be done.',
  waitingFor: heldFor,
  parks: true,
  retryAfterMs: 0,
};

/** What a replay has caused is kept from the outside here, before anything of the effect is called. */
const storedOf = (consumer: Consumer, event: RecordedEvent): readonly PendingEvent[] => {
  const key = keyOf(consumer, event);
  const replayId = event.metadata[replayIdName];
  if (replayId === undefined) return [pendingOf(key, event)];
  switch (consumer.afterReplay(event)) {
    case 'run':
      return [pendingOf(key, event)];
    case 'skip':
      return [];
    case 'hold':
      return [pendingOf(`${key} of replay ${replayId}`, event, heldFailure)];
  }
};

/** The events of an effect are stored; its worker takes them from there. */
export const storePage = (
  { consumer }: ConsumerRun,
  events: readonly RecordedEvent[],
): readonly PendingEvent[] => concerning(consumer, events).flatMap((event) => storedOf(consumer, event));

/**
 * Handles a page: several keys at the same time, the events of each in order. Returns those that remain pending.
 * @throws RunEnded when the run ended before the page did; the page is then repeated
 */
export const handlePage = async (
  run: ConsumerRun,
  events: readonly RecordedEvent[],
): Promise<readonly PendingEvent[]> => {
  const groups = groupByKey(run, events);
  const { pool, consumer, concurrency } = run;
  const blocked =
    run.pending > 0 ? await blockedKeys(pool, consumer.name, [...groups.keys()]) : new Set<string>();
  const remaining: PendingEvent[] = [];
  const keys = groups.entries();
  const handleKeys = async (): Promise<void> => {
    for (const [key, group] of keys) {
      const rest = blocked.has(key)
        ? group.map((event) => pendingOf(key, event))
        : await handleKey(run, key, group);
      remaining.push(...rest);
    }
  };
  // The others end before the run does, so that nothing is handled without the lease.
  const all = Array.from({ length: Math.min(concurrency, groups.size) }, handleKeys);
  const failed = (await Promise.allSettled(all)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return remaining.sort(byPosition);
};
