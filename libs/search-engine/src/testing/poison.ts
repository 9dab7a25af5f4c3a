import type { Projection } from '@tapedeck/eventing';
import type { StrategyRecord } from '@tapedeck/strategies/events';
import { explorerStrategies } from '../projections/explorer-strategies.ts';

/** Who cannot take a record: the fold of the read model, or only the database that stores its row. */
export type Poison = 'none' | 'fold' | 'database';

const fieldsOf: Readonly<Record<Poison, object>> = {
  none: {},
  fold: { categories: null },
  database: { pine_version: 'five' },
};

/** Fields that make a record poison. No import accepts them, and the types forbid them. */
export const poisonOf = (poison: Poison): Partial<StrategyRecord> => fieldsOf[poison];

/** The projection with a fold that accepts such records. */
export const correctedStrategies: Projection = {
  ...explorerStrategies,
  fold: (events) =>
    explorerStrategies.fold(
      events.map((event) => {
        const { record } = event.data as { readonly record?: Partial<StrategyRecord> };
        if (!record) return event;
        const { categories, pine_version: version } = record;
        const corrected = {
          ...record,
          categories: categories ?? [],
          pine_version: typeof version === 'number' ? version : null,
        };
        return { ...event, data: { ...event.data, record: corrected } };
      }),
    ),
};
