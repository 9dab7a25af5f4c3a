import * as z from 'zod';

/** How long a position outlives the page it was seen on, in milliseconds. */
const reloadWindow = 60_000;
const storageKey = 'tapedeck.position';

const isPosition = (text: string | null): text is string => text !== null && /^\d+$/.test(text);

/** Positions are decimal text that may exceed a safe integer; null and nonsense are before everything. */
export const isLater = (one: string | null, than: string | null): boolean =>
  isPosition(one) && (!isPosition(than) || BigInt(one) > BigInt(than));

export const laterPosition = (one: string | null, other: string | null): string | null =>
  isLater(one, other) ? one : isPosition(other) ? other : null;

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

const Remembered = z.object({ position: z.string(), at: z.number() });

const restored = (storage: Memory, now: number): string | null => {
  try {
    const { position, at } = Remembered.parse(JSON.parse(storage.getItem(storageKey) ?? 'null'));
    return now - at < reloadWindow && now >= at ? laterPosition(position, null) : null;
  } catch {
    return null;
  }
};

export type TapePosition = Readonly<{ newest: () => string | null; saw: (position: string | null) => void }>;

/**
 * The newest place on the tape this browser has heard of. Reads carry it, so that a person reads their own
 * writes; a reload keeps it for a minute, after which no projection can still be behind by accident.
 */
export const rememberTapePosition = (storage: Memory, now: () => number): TapePosition => {
  let newest = restored(storage, now());
  return {
    newest: () => newest,
    saw: (position) => {
      const later = laterPosition(newest, position);
      if (later === newest) return;
      newest = later;
      try {
        storage.setItem(storageKey, JSON.stringify({ position: later, at: now() }));
      } catch {
        // A full or forbidden storage costs only the memory across a reload.
      }
    },
  };
};
