import type { RecordedEvent } from '../event.ts';
import type { EventTypes } from '../event-types.ts';
import type { Projection, RowChange } from '../projection.ts';

export const sampleTypes: EventTypes = {
  Opened: { version: 1 },
  Added: { version: 1 },
  Closed: { version: 1 },
  Ignored: { version: 1 },
};

const changesOf = ({ type, data, stream, version }: RecordedEvent): readonly RowChange[] => {
  const key = { stream };
  switch (type) {
    case 'Opened':
      return [{ op: 'put', table: 'totals', key, row: { title: String(data['title']), last: 0 } }];
    case 'Added': {
      if (data['poison'] === true) throw new Error(`cannot fold version ${version}`);
      const amount = data['amount'] === 'refused' ? 'no number' : Number(data['amount']);
      return [
        { op: 'patch', table: 'totals', key, row: { last: amount, seen: version } },
        { op: 'put', table: 'amounts', key: { stream, version }, row: { amount } },
      ];
    }
    case 'Closed':
      return [{ op: 'remove', table: 'totals', key }];
    default:
      return [];
  }
};

/**
 * A read model of two tables that uses every operation. An event with `poison` makes the fold throw; one with the amount
 * `refused` makes PostgreSQL refuse the value.
 */
export const sampleProjection = (overrides: Partial<Projection> = {}): Projection => ({
  name: 'totals',
  version: 1,
  database: 'tapedeck',
  types: ['Opened', 'Added', 'Closed'],
  tables: [
    {
      name: 'totals',
      key: ['stream'],
      columns: {
        stream: 'text',
        title: 'text not null',
        last: 'double precision not null default -1',
        seen: 'integer',
      },
      indexes: ['(seen desc, stream)'],
    },
    {
      name: 'amounts',
      key: ['stream', 'version'],
      columns: { stream: 'text', version: 'integer', amount: 'numeric not null' },
    },
  ],
  fold: (events) => events.flatMap(changesOf),
  ...overrides,
});
