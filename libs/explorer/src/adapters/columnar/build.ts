import type { EdgeSet } from '../../edges.ts';
import type { ExplorerRow } from '../../search-port.ts';
import { emptyColumns, flagsOf, rowFlag, withCapacity, writeRow } from './columns.ts';
import { compareIds, sortSlots, type Permutation } from './permutation.ts';
import {
  aliveOf,
  drawEdges,
  nothingDerived,
  orderedColumns,
  type OrderedColumn,
  type Snapshot,
} from './snapshot.ts';
import { textIndexer } from './text-index.ts';
import { byteAt, wordAt } from './typed-arrays.ts';

export type SnapshotBuilder = Readonly<{
  add: (row: ExplorerRow) => void;
  /** `edges` null: drawn from the rows themselves, as version 0. */
  finish: (position: bigint, edges: EdgeSet | null) => Snapshot;
}>;

export const eachOrdered = (make: (column: OrderedColumn) => Permutation): Snapshot['orders'] =>
  Object.fromEntries(orderedColumns.map((column) => [column, make(column)])) as Record<
    OrderedColumn,
    Permutation
  >;

const orderById = (ids: readonly string[]): Permutation => {
  const order = Uint32Array.from(ids.keys());
  const sorted = ids.every((id, slot) => slot === 0 || (ids[slot - 1] ?? '') <= id);
  return sorted ? order : order.sort(compareIds(ids));
};

/** Of several rows with one id the last one stays. */
const buryRepeated = (byId: Permutation, ids: readonly string[], flags: Uint8Array): number => {
  let dead = 0;
  for (let i = 1; i < byId.length; i++) {
    const slot = wordAt(byId, i - 1);
    if (ids[slot] !== ids[wordAt(byId, i)]) continue;
    flags[slot] = byteAt(flags, slot) | rowFlag.dead;
    dead++;
  }
  return dead;
};

export const countDemo = (flags: Uint8Array): number => {
  let demo = 0;
  for (let slot = 0; slot < flags.length; slot++) {
    if ((byteAt(flags, slot) & (rowFlag.demo | rowFlag.dead)) === rowFlag.demo) demo++;
  }
  return demo;
};

/** Collects rows, any number of them, and makes a snapshot of them in one go. */
export const snapshotBuilder = (expectedRows = 1024): SnapshotBuilder => {
  let columns = emptyColumns(Math.max(16, expectedRows));
  let flags = new Uint8Array(columns.capacity);
  let size = 0;
  const indexer = textIndexer();

  return {
    add: (row) => {
      columns = withCapacity(columns, size + 1);
      if (flags.length < columns.capacity) {
        const larger = new Uint8Array(columns.capacity);
        larger.set(flags);
        flags = larger;
      }
      writeRow(columns, size, row);
      flags[size] = flagsOf(row);
      indexer.add(size, row);
      size++;
    },
    finish: (position, edges) => {
      const byId = orderById(columns.ids);
      const own = flags.slice(0, size);
      const dead = buryRepeated(byId, columns.ids, own);
      const rows = {
        columns,
        alive: aliveOf(own),
        orders: eachOrdered((column) => sortSlots(columns.numbers[column], byId)),
      };
      return {
        ...rows,
        size,
        dead,
        demoRows: countDemo(own),
        removed: new Map(),
        flags: own,
        byId,
        text: [indexer.finish()],
        edges: edges ?? drawEdges(rows, 0),
        position,
        derived: nothingDerived(),
      };
    },
  };
};
