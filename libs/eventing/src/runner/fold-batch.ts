import { messageOf } from '@tapedeck/kernel';
import type { RecordedEvent } from '../event.ts';
import type { Projection, RowChange } from '../projection.ts';

/** An event that was put aside; `error` is missing when it only came after another of its key. */
export type ParkedEvent = Readonly<{ event: RecordedEvent; key: string; error?: string }>;

export type FoldedBatch = Readonly<{ changes: readonly RowChange[]; parked: readonly ParkedEvent[] }>;

/** The key by which events are put aside together. */
export const keyOf = (projection: Projection, event: RecordedEvent): string =>
  projection.keyOf ? projection.keyOf(event) : event.stream;

const foldOneByOne = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
): FoldedBatch => {
  const changes: RowChange[] = [];
  const parked: ParkedEvent[] = [];
  for (const event of events) {
    const key = keyOf(projection, event);
    if (blocked.has(key)) {
      parked.push({ event, key });
      continue;
    }
    try {
      changes.push(...projection.fold([event]));
    } catch (error) {
      blocked.add(key);
      parked.push({ event, key, error: messageOf(error) });
    }
  }
  return { changes, parked };
};

/**
 * Folds what can be folded. An event that the fold throws at is put aside with all later ones of its key;
 * so are events of keys that are blocked already. `blocked` grows by the keys put aside here.
 */
export const foldBatch = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
): FoldedBatch => {
  if (events.length === 0) return { changes: [], parked: [] };
  if (blocked.size > 0) return foldOneByOne(projection, events, blocked);
  try {
    return { changes: projection.fold(events), parked: [] };
  } catch {
    return foldOneByOne(projection, events, blocked);
  }
};
