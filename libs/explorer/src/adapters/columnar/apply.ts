import type { RowUpdate } from '../../search-port.ts';
import { countDemo, eachOrdered } from './build.ts';
import {
  emptyColumns,
  flagsOf,
  numberColumns,
  rowFlag,
  withCapacity,
  writeRow,
  type Columns,
} from './columns.ts';
import { compareIds, compareValues, insertSlots } from './permutation.ts';
import { aliveOf, derivedFrom, nothingDerived, type Snapshot } from './snapshot.ts';
import { renumbered, textIndexer, withSegment } from './text-index.ts';
import { byteAt, floatAt, wordAt } from './typed-arrays.ts';

/** The live slot of an id, or −1. */
export const slotOf = ({ byId, columns, flags }: Snapshot, urlId: string): number => {
  const { ids } = columns;
  let [low, high] = [0, byId.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[wordAt(byId, middle)] ?? '') < urlId) low = middle + 1;
    else high = middle;
  }
  for (let place = low; place < byId.length; place++) {
    const slot = wordAt(byId, place);
    if (ids[slot] !== urlId) return -1;
    if ((byteAt(flags, slot) & rowFlag.dead) === 0) return slot;
  }
  return -1;
};

const idOf = (update: RowUpdate): string => (update.op === 'put' ? update.row.urlId : update.urlId);
const versionOf = (update: RowUpdate): number => (update.op === 'put' ? update.row.version : update.version);

/** What each id comes to after all updates; those that are no newer than what is known change nothing. */
const outcomes = (snapshot: Snapshot, updates: readonly RowUpdate[]): ReadonlyMap<string, RowUpdate> => {
  const newest = new Map<string, RowUpdate>();
  for (const update of updates) {
    const id = idOf(update);
    const before = newest.get(id);
    const known = before ? versionOf(before) : knownVersion(snapshot, id);
    if (versionOf(update) > known) newest.set(id, update);
  }
  return newest;
};

const knownVersion = (snapshot: Snapshot, urlId: string): number => {
  const slot = slotOf(snapshot, urlId);
  return slot < 0 ? (snapshot.removed.get(urlId) ?? -1) : wordAt(snapshot.columns.versions, slot);
};

/**
 * The next snapshot: replaced and removed rows die, new versions take new slots, orders are merged and
 * the words of the new slots make a text segment of their own. Costs copies, never a sort of everything.
 */
export const applyUpdates = (
  snapshot: Snapshot,
  updates: readonly RowUpdate[],
  position: bigint,
): Snapshot => {
  const changes = outcomes(snapshot, updates);
  const rows = [...changes.values()].flatMap((update) => (update.op === 'put' ? [update.row] : []));
  const removed = new Map(snapshot.removed);
  for (const [urlId, update] of changes) {
    if (update.op === 'put') removed.delete(urlId);
    else removed.set(urlId, update.version);
  }
  const size = snapshot.size + rows.length;
  const columns = withCapacity(snapshot.columns, size);
  const flags = new Uint8Array(size);
  flags.set(snapshot.flags);
  let { dead } = snapshot;
  for (const urlId of changes.keys()) {
    const slot = slotOf(snapshot, urlId);
    if (slot < 0) continue;
    flags[slot] = byteAt(flags, slot) | rowFlag.dead;
    dead++;
  }
  const indexer = textIndexer();
  const added = rows.map((row, index) => {
    const slot = snapshot.size + index;
    writeRow(columns, slot, row);
    flags[slot] = flagsOf(row);
    indexer.add(slot, row);
    return slot;
  });
  return {
    columns,
    size,
    dead,
    demoRows: countDemo(flags),
    removed,
    flags,
    alive: aliveOf(flags),
    byId: insertSlots(snapshot.byId, added, compareIds(columns.ids)),
    orders: eachOrdered((column) =>
      insertSlots(snapshot.orders[column], added, compareValues(columns.numbers[column], columns.ids)),
    ),
    text: rows.length === 0 ? snapshot.text : withSegment(snapshot.text, indexer.finish()),
    edges: snapshot.edges,
    position,
    derived: derivedFrom(snapshot, columns, size),
  };
};

const fewDead = 1024;

/** Dead slots cost every query a little; above a quarter of the rows they are worth a clean-up. */
export const wantsCompaction = ({ size, dead }: Snapshot): boolean => dead > fewDead + (size - dead) / 4;

const gone = 0xffff_ffff;

const keptColumns = (columns: Columns, kept: Uint32Array): Columns => {
  const next = emptyColumns(Math.max(16, kept.length));
  const keep = <T>(from: readonly T[], to: T[], fallback: T): void =>
    kept.forEach((slot) => void to.push(from[slot] ?? fallback));
  for (const name of numberColumns) {
    kept.forEach((slot, place) => (next.numbers[name][place] = floatAt(columns.numbers[name], slot)));
  }
  kept.forEach((slot, place) => {
    next.versions[place] = wordAt(columns.versions, slot);
    next.pineVersions[place] = columns.pineVersions[slot] ?? -1;
    next.symbolCodes[place] = wordAt(columns.symbolCodes, slot);
  });
  keep(columns.ids, next.ids, '');
  keep(columns.titles, next.titles, '');
  keep(columns.markets, next.markets, null);
  keep(columns.authors, next.authors, null);
  keep(columns.categories, next.categories, []);
  const { symbols, symbolIndex, texts, lists } = columns;
  return { ...next, symbols, symbolIndex, texts, lists };
};

/** The same catalogue without its dead slots. */
export const compacted = (snapshot: Snapshot): Snapshot => {
  const { flags, columns } = snapshot;
  const kept = Uint32Array.from(flags.keys()).filter((slot) => (byteAt(flags, slot) & rowFlag.dead) === 0);
  const numbers = new Uint32Array(snapshot.size).fill(gone);
  kept.forEach((slot, place) => (numbers[slot] = place));
  const mapped = (order: Uint32Array): Uint32Array =>
    order.filter((slot) => wordAt(numbers, slot) !== gone).map((slot) => wordAt(numbers, slot));
  const keptFlags = Uint8Array.from(kept, (slot) => byteAt(flags, slot));
  return {
    ...snapshot,
    columns: keptColumns(columns, kept),
    size: kept.length,
    dead: 0,
    flags: keptFlags,
    alive: aliveOf(keptFlags),
    byId: mapped(snapshot.byId),
    orders: eachOrdered((column) => mapped(snapshot.orders[column])),
    text: snapshot.text.map((segment) => renumbered(segment, numbers, gone)),
    derived: nothingDerived(),
  };
};
