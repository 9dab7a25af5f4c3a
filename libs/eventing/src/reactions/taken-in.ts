import { LRUCache } from 'lru-cache';
import type { Position, RecordedEvent } from '../event.ts';

const maxCharacters = 64_000_000;
/** After this time an event is read from the tape again: it may contain the data of an account that was forgotten. */
const maxAgeMs = 60_000;

/** Events between the page that brought them and their first attempt. What is missing here is read from the tape. */
export type TakenIn = Readonly<{
  add: (events: readonly RecordedEvent[]) => void;
  /** The event, once. */
  take: (position: Position) => RecordedEvent | undefined;
}>;

const charactersOf = ({ data }: RecordedEvent): number =>
  Object.values(data).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 50),
    500,
  );

/** With room for `maxEvents`: for all that may wait for work, so that a backlog is not read from the tape a second time. */
export const createTakenIn = (maxEvents: number): TakenIn => {
  const events = new LRUCache<Position, RecordedEvent>({
    max: maxEvents,
    maxSize: maxCharacters,
    sizeCalculation: charactersOf,
    ttl: maxAgeMs,
  });
  return {
    add: (added) => {
      for (const event of added) events.set(event.position, event);
    },
    take: (position) => {
      const event = events.get(position);
      events.delete(position);
      return event;
    },
  };
};
