import type { ReadTapeOptions, TapePage } from '../../event-store.ts';
import type { Position, RecordedEvent } from '../../event.ts';
import type { Mark } from './settled-mark.ts';

/** A page, and the size of its events. */
export type SizedPage = TapePage & Readonly<{ characters: number }>;

export type RecentEventsOptions = Readonly<{
  /** Reads events of these types, by default of all, after a position, up to the mark. */
  read: (after: Position, mark: Mark, types?: readonly string[]) => Promise<SizedPage>;
  /** What is kept, unless the newest page alone is larger. */
  maxEvents: number;
  maxCharacters: number;
}>;

/** The newest events of a tape, which its followers read together. */
export type RecentEvents = Readonly<{
  /** The page that the tape has after a position; undefined when the follower is too far behind. */
  page: (options: ReadTapeOptions, mark: Mark) => Promise<TapePage | undefined>;
}>;

/** All events after `after` up to `to`, in pages that follow each other; none is empty. */
type Kept = {
  readonly server: Mark['server'];
  after: Position;
  to: Position;
  pages: SizedPage[];
  events: number;
  characters: number;
  isRead: boolean;
};

const keptFrom = (server: Mark['server'], after: Position): Kept => ({
  server,
  after,
  to: after,
  pages: [],
  events: 0,
  characters: 0,
  isRead: false,
});

/** The first of the pages that has something after a position. Followers are near the end. */
const firstAfter = (pages: readonly SizedPage[], after: Position): number => {
  let first = pages.length;
  while ((pages[first - 1]?.position ?? after) > after) first--;
  return first;
};

/**
 * Every follower near the end of the tape needs the same events, each those of its own types. They are read once, with
 * the types of all followers, and kept for a while. A follower that is further behind, or slower than the others, reads by itself, so it
 * neither waits for the others nor holds them up.
 */
export const createRecentEvents = ({ read, maxEvents, maxCharacters }: RecentEventsOptions): RecentEvents => {
  let kept: Kept | undefined;
  let reading: Promise<void> | undefined;
  /** The types of all followers so far; undefined when one of them asks for all. */
  let wanted: ReadonlySet<string> | undefined = new Set();

  /** What was read without a type that a follower asks for now is of no use to it. */
  const want = (types: readonly string[] | undefined): void => {
    const known = wanted;
    if (!known || types?.every((type) => known.has(type))) return;
    wanted = types && new Set([...known, ...types]);
    if (kept?.isRead) kept = undefined;
  };

  const isFar = (from: Position, mark: Mark): boolean => mark.position - from > BigInt(maxEvents);

  /** What is kept of this tape; begins at the given position when there is nothing yet. */
  const keptOf = (mark: Mark, after: Position): Kept | undefined => {
    if (kept && (kept.server !== mark.server || mark.position < kept.to || isFar(kept.to, mark)))
      kept = undefined;
    if (!kept && !isFar(after, mark)) kept = keptFrom(mark.server, after);
    return kept;
  };

  const forgetOldest = (of: Kept): void => {
    while (of.pages.length > 1 && (of.events > maxEvents || of.characters > maxCharacters)) {
      const oldest = of.pages.shift();
      if (!oldest) return;
      of.after = oldest.position;
      of.events -= oldest.events.length;
      of.characters -= oldest.characters;
    }
  };

  const readNext = async (of: Kept, mark: Mark): Promise<void> => {
    // Followers that ask in the same turn of the event loop are read for together.
    await Promise.resolve();
    of.isRead = true;
    const page = await read(of.to, mark, wanted && [...wanted]);
    of.to = page.position;
    if (page.events.length === 0) return;
    of.pages.push(page);
    of.events += page.events.length;
    of.characters += page.characters;
    forgetOldest(of);
  };

  const pageOf = ({ pages, to }: Kept, { after, limit, types }: ReadTapeOptions, mark: Mark): TapePage => {
    const head = to > mark.position ? to : mark.position;
    const events: RecordedEvent[] = [];
    for (const page of pages.slice(firstAfter(pages, after))) {
      for (const event of page.events) {
        if (event.position <= after || (types && !types.includes(event.type))) continue;
        events.push(event);
        if (events.length === limit) return { events, position: event.position, head };
      }
    }
    const last = pages.at(-1)?.events.at(-1);
    return { events, position: to, head, ...(last?.position === to ? { last } : {}) };
  };

  return {
    page: async (options, mark) => {
      const { after } = options;
      want(options.types);
      const found = keptOf(mark, after);
      if (!found || after < found.after) return undefined;
      if (found.to <= after) {
        reading ??= readNext(found, mark).finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return after < found.after || found.to <= after ? undefined : pageOf(found, options, mark);
    },
  };
};
