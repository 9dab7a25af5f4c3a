import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import type { StrategyEvent } from '@tapedeck/strategies/events';

type AddedOrWithdrawn = Extract<StrategyEvent, { type: 'StrategyImported' | 'StrategyWithdrawn' }>;

const changeOf = (event: RecordedEvent<AddedOrWithdrawn>): RowChange => {
  switch (event.type) {
    case 'StrategyImported': {
      const { url_id } = event.data.record;
      return { op: 'put', table: 'explorer_additions', key: { url_id }, row: { position: event.position } };
    }
    case 'StrategyWithdrawn':
      return { op: 'remove', table: 'explorer_additions', key: { url_id: event.data.urlId } };
    default:
      return event satisfies never;
  }
};

/** The tape position at which each strategy was added to the catalogue; later changes do not count as new. */
export const explorerAdditions = defineProjection<AddedOrWithdrawn>({
  name: 'explorer_additions',
  version: 1,
  database: 'catalogue',
  types: { StrategyImported: true, StrategyWithdrawn: true },
  tables: [
    {
      name: 'explorer_additions',
      key: ['url_id'],
      columns: { url_id: 'text collate "C" not null', position: 'bigint not null' },
      indexes: ['(position)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
