import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ProjectionTable, Row, RowChange } from '../../projection.ts';
import { checkProperty } from '../../testing/property.ts';
import { coalesce } from './coalesce.ts';

const tables: readonly ProjectionTable[] = [
  { name: 'plain', key: ['id'], columns: { id: 'text', a: 'integer', b: 'text' } },
  { name: 'pairs', key: ['left', 'right'], columns: { left: 'text', right: 'integer', a: 'integer' } },
  { name: 'growing', key: ['id'], columns: { id: 'text', a: 'integer', b: 'text' }, growing: ['a'] },
];

const row = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 9 }), { maxKeys: 2 });
const key = fc.oneof(
  fc.record({ table: fc.constant('growing'), key: fc.record({ id: fc.constantFrom('x', 'y') }) }),
  fc.record({ table: fc.constant('plain'), key: fc.record({ id: fc.constantFrom('x', 'y', '1') }) }),
  fc.record({
    table: fc.constant('pairs'),
    key: fc.record({ left: fc.constantFrom('x', 'y'), right: fc.constantFrom(1, 2) }),
  }),
);
const change: fc.Arbitrary<RowChange> = fc
  .tuple(fc.constantFrom('put', 'patch', 'remove'), key, row)
  .map(([op, target, columns]) => {
    if (target.table === 'growing') return { op: 'put', ...target, row: columns };
    return op === 'remove' ? { op, ...target } : { op, ...target, row: columns };
  });

type Model = Map<string, Row>;

const rowOf = (change: RowChange): string => `${change.table} ${JSON.stringify(Object.values(change.key))}`;

const grown = (change: RowChange, before: Row, row: Row): Row => {
  const numbers = [before['a'], row['a']].filter((value) => typeof value === 'number');
  return change.table === 'growing' && numbers.length > 0 ? { ...row, a: Math.max(...numbers) } : row;
};

/** The reference implementation: applies one change to the rows. */
const applyOne = (model: Model, change: RowChange): void => {
  const before = model.get(rowOf(change));
  if (change.op === 'remove') model.delete(rowOf(change));
  else if (change.op === 'put') model.set(rowOf(change), grown(change, before ?? {}, { ...change.row }));
  else if (before) model.set(rowOf(change), { ...before, ...change.row });
};

const coalesced = (changes: readonly RowChange[]): readonly RowChange[] =>
  coalesce(tables, changes).flatMap(({ table, puts, patches, removes }) => [
    ...removes.map(({ key }) => ({ op: 'remove', table: table.name, key }) as const),
    ...puts.map(({ key, row }) => ({ op: 'put', table: table.name, key, row }) as const),
    ...patches.map(({ key, row }) => ({ op: 'patch', table: table.name, key, row }) as const),
  ]);

describe('coalesce', () => {
  it('returns one change per row, with the same effect as all changes, from any state and in any order', () => {
    const changes = fc.array(change, { maxLength: 30 });
    checkProperty(
      fc.property(changes, changes, (before, batch) => {
        const oneByOne: Model = new Map();
        const atOnce: Model = new Map();
        for (const each of before) {
          applyOne(oneByOne, each);
          applyOne(atOnce, each);
        }
        for (const each of batch) applyOne(oneByOne, each);
        const combined = coalesced(batch);
        expect(new Set(combined.map(rowOf)).size).toBe(combined.length);
        for (const each of combined.toReversed()) applyOne(atOnce, each);
        expect(atOnce).toEqual(oneByOne);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['patch', 'remove'] as const)('throws for a %s of a row with growing columns', (op) => {
    const change: RowChange = { op, table: 'growing', key: { id: 'x' }, row: { a: 1 } };
    expect(() => coalesce(tables, [change])).toThrow('only grow');
  });

  it('throws for a table that the projection does not have', () => {
    expect(() => coalesce(tables, [{ op: 'remove', table: 'other', key: { id: 'x' } }])).toThrow(
      'changes the table "other"',
    );
  });
});
