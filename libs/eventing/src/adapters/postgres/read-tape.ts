import type { EventStore, ReadTapeOptions, TapePage } from '../../event-store.ts';
import type { Position, RecordedEvent } from '../../event.ts';
import { columns, toRecorded } from './event-rows.ts';
import { createRecentEvents, type SizedPage } from './recent-events.ts';
import type { Mark, SettledMark } from './settled-mark.ts';
import type { TapeConnections, TextRow } from './tape-connections.ts';
import { isUnavailable } from './tape-errors.ts';

/** In UTF-8, of a character as JavaScript counts them. */
const maxBytesPerCharacter = 3;

/** Positions that one query covers when it reads past events of other types. */
const maxPositionsPerPage = 50_000n;
/** Events are rare when a page passes more positions than this for each of them, and the page is not a small one. */
const maxPositionsPerEvent = 16;
const minPositionsToJudge = 1_000;

/** Which types are rare, as the last pages have shown. A wrong guess costs time, nothing else. */
type RareTypes = Readonly<{
  has: (types: readonly string[] | undefined) => boolean;
  learn: (options: ReadTapeOptions, page: TapePage) => void;
}>;

const maxRemembered = 1_000;

const createRareTypes = (): RareTypes => {
  const rare = new Set<string>();
  return {
    has: (types) => types !== undefined && rare.has(types.join(' ')),
    learn: ({ types, after }, { events, position }) => {
      const passed = Number(position - after);
      if (!types || passed < minPositionsToJudge) return;
      const key = types.join(' ');
      if (passed <= events.length * maxPositionsPerEvent) rare.delete(key);
      else if (rare.size < maxRemembered) rare.add(key);
    },
  };
};

type Range = Readonly<{
  after: Position;
  upTo: Position;
  limit: number;
  types: readonly string[] | undefined;
  isRare: boolean;
}>;

/** Events of a range; `isWhole` when it is certain that there are no more in it. */
type FoundEvents = Readonly<{ events: readonly RecordedEvent[]; characters: number; isWhole: boolean }>;

const sizeSql = 'coalesce(bytes, octet_length(data::text) + octet_length(metadata::text)) as size';

/** Almost every page fits, so that sizes are only summed; events are counted only for a page that does not fit. */
const eventsSql = (types: readonly string[] | undefined): string => {
  const range = `position > $1 and position <= $2 ${types ? 'and type = any($5)' : ''}`;
  const sizes = `select position, ${sizeSql} from tape_events where ${range} order by position limit $3`;
  return `
    with page as materialized (select sum(size) as bytes from (${sizes}) found)
    select ${columns} from tape_events where ${range} order by position
    limit case when (select bytes from page) < $4 then $3::bigint else (
      select count(*) from (
        select size, sum(size) over (order by position rows unbounded preceding) as total from (${sizes}) found
      ) summed where total - size < $4) end`;
};

/** The same by the index of each type: it reads no other events, but up to `limit` of each type. */
const rareEventsSql = `
  select ${columns} from (
    select *, sum(size) over (order by position rows unbounded preceding) as total
    from (
      select e.*, ${sizeSql}
      from (
        select ofType.position from unnest($5::text[]) t (type) cross join lateral (
          select position from tape_events
          where type = t.type and position > $1 and position <= $2 order by position limit $3
        ) ofType order by ofType.position limit $3
      ) found join tape_events e using (position)
    ) sized
  ) summed where total - size < $4 order by position`;

/** The size of data and metadata. A column for their bytes would make every row longer. */
const charactersOf = (rows: readonly TextRow[]): number =>
  rows.reduce((sum, row) => sum + (row[6]?.length ?? 0) + (row[7]?.length ?? 0), 0);

/** Events in the range, as many as the limits permit, but at least one. */
const readEvents = async (
  { read }: TapeConnections,
  server: Mark['server'],
  { after, upTo, limit, types, isRare }: Range,
  maxBytes: number,
): Promise<FoundEvents> => {
  const text = isRare ? rareEventsSql : eventsSql(types);
  const values = [String(after), String(upTo), limit, maxBytes, ...(types ? [types] : [])];
  const name = isRare ? 'tape_read_rare' : types ? 'tape_read_types' : 'tape_read';
  const rows = await read({ name, text, values }, server);
  const characters = charactersOf(rows);
  const mayBeFull = characters * maxBytesPerCharacter >= maxBytes;
  return { events: rows.map(toRecorded), characters, isWhole: rows.length < limit && !mayBeFull };
};

const readLastPosition = async (
  { read }: TapeConnections,
  server: Mark['server'],
  upTo: Position,
): Promise<Position> => {
  const text = 'select max(position) from tape_events where position <= $1';
  const [row] = await read({ name: 'tape_last_position', text, values: [String(upTo)] }, server);
  return BigInt(row?.[0] ?? 0);
};

/** A page up to the mark. Its position is that of an event, so that a checkpoint survives a crash of the server. */
const readUpTo = async (
  connections: TapeConnections,
  { position: head, server }: Mark,
  { after, limit, types }: ReadTapeOptions,
  isRare: boolean,
  maxBytes: number,
): Promise<SizedPage> => {
  for (let from = after; ;) {
    const isCut = types && !isRare && head - from > maxPositionsPerPage;
    const upTo = isCut ? from + maxPositionsPerPage : head;
    const range = { after: from, upTo, limit, types, isRare };
    const { events, characters, isWhole } = await readEvents(connections, server, range, maxBytes);
    const found = { events, characters, head };
    const last = events.at(-1)?.position;
    if (isWhole && upTo === head) return { ...found, position: head };
    if (last !== undefined) return { ...found, position: last };
    const position = await readLastPosition(connections, server, upTo);
    if (position > after) return { ...found, position };
    from = upTo;
  }
};

/** What the followers of a process share: about as much as one page of each. */
const recentEvents = { maxEvents: 2_000, maxCharacters: 4 << 20 };

export type TapeReader = Readonly<{
  read: EventStore['readTape'];
  /** The same for those who follow the tape: near its end they share what they read. */
  readNext: EventStore['readTape'];
}>;

export const createTapeReader = (
  connections: TapeConnections,
  mark: SettledMark,
  onServerChanged: () => void,
  maxBytes: number,
): TapeReader => {
  const rareTypes = createRareTypes();
  const recent = createRecentEvents({
    ...recentEvents,
    read: (after, settled, types) => {
      const limit = recentEvents.maxEvents;
      return readUpTo(connections, settled, { after, limit, ...(types ? { types } : {}) }, false, maxBytes);
    },
  });
  const readAlone = async (options: ReadTapeOptions, settled: Mark): Promise<TapePage> => {
    const isRare = rareTypes.has(options.types);
    const { events, position, head } = await readUpTo(connections, settled, options, isRare, maxBytes);
    const page = { events, position, head };
    rareTypes.learn(options, page);
    return page;
  };

  const readWith =
    (readPage: (options: ReadTapeOptions, settled: Mark) => Promise<TapePage>): EventStore['readTape'] =>
    async (options) => {
      const { after, limit } = options;
      const known = mark.current();
      const settled = known && known.position - after >= BigInt(limit) ? known : await mark.advance();
      const head = settled.position;
      if (head <= after) return { events: [], position: after, head };
      try {
        return await readPage(options, settled);
      } catch (error) {
        if (isUnavailable(error)) onServerChanged();
        throw error;
      }
    };

  return {
    read: readWith(readAlone),
    readNext: readWith(
      async (options, settled) =>
        (await recent.page(options, settled)) ?? (await readAlone(options, settled)),
    ),
  };
};
