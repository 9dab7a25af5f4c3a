import { defineProjection, type Position, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import {
  figuresOf,
  indicatorLabels,
  isDemoStrategy,
  type StrategyEvent,
  type StrategyRecord,
} from '@tapedeck/strategies/events';
import type pg from 'pg';
import {
  facetRecord,
  facets,
  parameterRecord,
  rowVersion,
  type FacetParameter,
} from '../catalogue/facets.ts';
import { roundToPrecision } from '../catalogue/precision.ts';
import type { ExplorerRow, RowUpdate } from '../search-port.ts';

/** One strategy in the read model; null is unknown. */
export type StoredRow = Readonly<{
  url_id: string;
  /** Version of the strategy's stream. */
  version: number;
  title: string;
  author: string | null;
  description: string | null;
  /** Display labels of the indicators, each once. */
  categories: readonly string[];
  /** The same indicators as spelled in the source, for the search. */
  spellings: readonly string[];
  symbol: string | null;
  pine_version: number | null;
  /** `YYYY-MM-DD`, like every date here. */
  publication_date: string | null;
  backtesting_start: string | null;
  backtesting_end: string | null;
  enhanced: boolean;
  demo: boolean;
}> &
  Readonly<Record<FacetParameter, number | null>>;

export const explorerTable = 'explorer_strategies';
/** One row: the tape position of the newest change of the catalogue. */
export const catalogueTable = 'explorer_catalogue';

const hasText = (text: string | null): boolean => text !== null && text.trim() !== '';

/** With a description, and with initial capital or commission. */
const isEnhanced = (record: StrategyRecord): boolean =>
  hasText(record.full_description) && (hasText(record.initial_capital) || hasText(record.commission));

const rowOf = (record: StrategyRecord, version: number): Omit<StoredRow, 'url_id'> => {
  const known = figuresOf(record);
  return {
    version,
    title: record.title,
    author: record.author,
    description: record.full_description,
    categories: indicatorLabels(record.categories),
    spellings: record.categories,
    symbol: record.symbol,
    pine_version: record.pine_version,
    publication_date: record.publication_date,
    backtesting_start: record.backtesting_range_start,
    backtesting_end: record.backtesting_range_end,
    ...parameterRecord((field) => roundToPrecision(field, known[field])),
    enhanced: isEnhanced(record),
    demo: isDemoStrategy(record.url_id),
  };
};

const changeOf = (event: RecordedEvent<StrategyEvent>): RowChange => {
  switch (event.type) {
    case 'StrategyImported':
    case 'StrategyRevised':
    case 'StrategyAmended': {
      const { record } = event.data;
      return {
        op: 'put',
        table: explorerTable,
        key: { url_id: record.url_id },
        row: rowOf(record, event.version),
      };
    }
    case 'StrategyWithdrawn':
      return { op: 'remove', table: explorerTable, key: { url_id: event.data.urlId } };
    default:
      return event satisfies never;
  }
};

const positionChange = ({ position }: RecordedEvent): RowChange => ({
  op: 'put',
  table: catalogueTable,
  key: { id: 1 },
  row: { position },
});

const columns: Readonly<Record<keyof StoredRow, string>> = {
  url_id: 'text collate "C" not null',
  version: 'integer not null',
  title: 'text not null',
  author: 'text',
  description: 'text',
  categories: 'text[] not null',
  spellings: 'text[] not null',
  symbol: 'text',
  pine_version: 'double precision',
  publication_date: 'date',
  backtesting_start: 'date',
  backtesting_end: 'date',
  ...parameterRecord(() => 'double precision'),
  enhanced: 'boolean not null',
  demo: 'boolean not null',
};

/** The fields that search and list need, in a table of this module. */
export const explorerStrategies = defineProjection<StrategyEvent>({
  name: 'explorer_strategies',
  version: rowVersion,
  database: 'catalogue',
  types: { StrategyImported: true, StrategyRevised: true, StrategyAmended: true, StrategyWithdrawn: true },
  tables: [
    { name: explorerTable, key: ['url_id'], columns },
    {
      name: catalogueTable,
      key: ['id'],
      columns: { id: 'integer not null', position: 'bigint not null' },
      growing: ['position'],
    },
  ],
  fold: (events) => [...events.map(changeOf), ...events.slice(-1).map(positionChange)],
});

/** The columns of a `StoredRow` as a select list: dates as text, which is how the engines take them. */
export const storedRowColumns = Object.entries(columns)
  .map(([name, type]) => (type === 'date' ? `${name}::text` : name))
  .join(', ');

/** The tape position of the newest change of the stored catalogue; 0n before the first one. */
export const storedCataloguePosition = async (catalogue: pg.Pool): Promise<Position> => {
  const { rows } = await catalogue.query<{ position: string }>(
    `select position::text from ${catalogueTable}`,
  );
  return BigInt(rows[0]?.position ?? 0);
};

/** Converts a row of the read model to a row of the engine. */
export const explorerRowOf = (row: StoredRow): ExplorerRow => ({
  urlId: row.url_id,
  version: row.version,
  title: row.title,
  author: row.author,
  description: row.description,
  categories: row.categories,
  spellings: row.spellings,
  symbol: row.symbol,
  pineVersion: row.pine_version,
  publicationDate: row.publication_date,
  backtestingStart: row.backtesting_start,
  backtestingEnd: row.backtesting_end,
  figures: facetRecord((field) => row[facets[field].parameter]),
  enhanced: row.enhanced,
  demo: row.demo,
});

/** Converts the changes of one event to updates of the engine, so that both are results of the same fold. */
export const updatesOf = (changes: readonly RowChange[], version: number): readonly RowUpdate[] =>
  changes.flatMap((change): readonly RowUpdate[] => {
    if (change.table !== explorerTable) return [];
    const urlId = String(change.key['url_id']);
    if (change.op === 'remove') return [{ op: 'remove', urlId, version }];
    if (change.op === 'put') {
      return [{ op: 'put', row: explorerRowOf({ ...(change.row as StoredRow), url_id: urlId }) }];
    }
    throw new Error('The fold of explorer_strategies must put whole rows, not change parts of one.');
  });
