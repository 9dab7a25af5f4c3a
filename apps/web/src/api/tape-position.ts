import * as z from 'zod';

/** For how long a position outlives the page that has seen it. */
const keepForMs = 60_000;
const storageKey = 'tapedeck.position';

const isPosition = (text: string | null): text is string => text !== null && /^\d+$/.test(text);

/** Positions are decimal text that may exceed a safe integer; null and malformed text come before everything. */
export const isLater = (one: string | null, than: string | null): boolean =>
  isPosition(one) && (!isPosition(than) || BigInt(one) > BigInt(than));

export const laterPosition = (one: string | null, other: string | null): string | null =>
  isLater(one, other) ? one : isPosition(other) ? other : null;

type PositionStorage = Pick<Storage, 'getItem' | 'setItem'>;

const StoredPosition = z.object({ position: z.string(), at: z.number() });

const readStored = (storage: PositionStorage, now: number): string | null => {
  try {
    const { position, at } = StoredPosition.parse(JSON.parse(storage.getItem(storageKey) ?? 'null'));
    return now - at < keepForMs && now >= at ? laterPosition(position, null) : null;
  } catch {
    return null;
  }
};

export type TapePosition = Readonly<{
  newest: () => string | null;
  record: (position: string | null) => void;
}>;

/**
 * The newest tape position that this browser has seen. Queries send it, so that people see their own changes.
 * A reload keeps it for a minute; by then every projection has caught up.
 */
export const createTapePosition = (storage: PositionStorage, now: () => number): TapePosition => {
  let newest = readStored(storage, now());
  return {
    newest: () => newest,
    record: (position) => {
      const later = laterPosition(newest, position);
      if (later === newest) return;
      newest = later;
      try {
        storage.setItem(storageKey, JSON.stringify({ position: later, at: now() }));
      } catch {
        // Without storage the position is lost with a reload and nothing else.
      }
    },
  };
};
