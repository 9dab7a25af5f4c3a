import { createHash } from 'node:crypto';
import { messageOf } from '@tapedeck/kernel';
import type { RecordedEvent } from '../event.ts';
import type { Projection, RowChange } from '../projection.ts';

/** An event that is not folded yet. Without `error` it is only blocked by an earlier parked event of its key. */
export type ParkedEvent = Readonly<{ event: RecordedEvent; key: string; error?: string }>;

export type FoldedBatch = Readonly<{ changes: readonly RowChange[]; parked: readonly ParkedEvent[] }>;

const maxKeyLength = 1_000;
const keptOfLongKey = 200;

/** A key that an index of the parked events can contain. */
const storableKey = (key: string): string => {
  const clean = key.replaceAll('\0', '\uFFFD');
  if (clean.length <= maxKeyLength) return clean;
  return `${clean.slice(0, keptOfLongKey)}…${createHash('sha256').update(clean).digest('hex')}`;
};

/** A parked event blocks the later events of the same key. If `keyOf` throws, the key is the stream. */
export const keyOf = (consumer: Pick<Projection, 'keyOf'>, event: RecordedEvent): string => {
  if (!consumer.keyOf) return event.stream;
  try {
    return storableKey(consumer.keyOf(event));
  } catch {
    return event.stream;
  }
};

export type FoldedEvent = Readonly<{ event: RecordedEvent; changes: readonly RowChange[] }>;

/**
 * Folds the events one by one, as the runner does: if the fold throws for an event, this event and the later ones of its
 * key are omitted, and so are the events of keys in `blocked`. Adds the newly blocked keys to `blocked`.
 */
export const foldEach = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
): Readonly<{ folded: readonly FoldedEvent[]; parked: readonly ParkedEvent[] }> => {
  const folded: FoldedEvent[] = [];
  const parked: ParkedEvent[] = [];
  for (const event of events) {
    const key = keyOf(projection, event);
    if (blocked.has(key)) {
      parked.push({ event, key });
      continue;
    }
    try {
      if (event.unreadable !== undefined) throw new Error(event.unreadable);
      folded.push({ event, changes: projection.fold([event]) });
    } catch (error) {
      blocked.add(key);
      parked.push({ event, key, error: messageOf(error) });
    }
  }
  return { folded, parked };
};

const foldOneByOne = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
): FoldedBatch => {
  const { folded, parked } = foldEach(projection, events, blocked);
  return { changes: folded.flatMap(({ changes }) => changes), parked };
};

/**
 * Folds the events. If the fold throws for an event, this event and the later ones of its key are parked; so are the
 * events of keys in `blocked`. Adds the newly parked keys to `blocked`.
 */
export const foldBatch = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
): FoldedBatch => {
  if (events.length === 0) return { changes: [], parked: [] };
  if (blocked.size > 0 || events.some((event) => event.unreadable !== undefined))
    return foldOneByOne(projection, events, blocked);
  try {
    return { changes: projection.fold(events), parked: [] };
  } catch {
    return foldOneByOne(projection, events, blocked);
  }
};
