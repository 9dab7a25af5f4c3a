import { defineProjection, type RecordedEvent, type Row, type RowChange } from '@tapedeck/eventing';
import { figuresOf } from '../domain/figures.ts';
import { indicatorOf } from '../domain/indicators.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import type { StrategyEvent } from '../domain/strategy.ts';
import { figureColumns, figureValues, recordColumns, timeColumns } from './strategy-columns.ts';

const table = 'strategies';
const indicators = 'strategy_indicators';

const rowOf = (record: StrategyRecord, at: string): Row => {
  const { url_id: _, ...columns } = record;
  const figures = figuresOf(record);
  return { ...columns, code_lines: figures.codeLines, ...figureValues(figures), updated_at: at };
};

const changeOf = (event: RecordedEvent<StrategyEvent>): RowChange => {
  const at = event.metadata.occurredAt;
  switch (event.type) {
    case 'StrategyImported': {
      const { record } = event.data;
      const row = { ...rowOf(record, at), created_at: at };
      return { op: 'put', table, key: { url_id: record.url_id }, row };
    }
    case 'StrategyRevised':
    case 'StrategyAmended': {
      const { record } = event.data;
      return { op: 'patch', table, key: { url_id: record.url_id }, row: rowOf(record, at) };
    }
    case 'StrategyWithdrawn':
      return { op: 'remove', table, key: { url_id: event.data.urlId } };
    default:
      return event satisfies never;
  }
};

/** Indicators are only ever added: one that no strategy names any more is still one to look for. */
const indicatorsIn = (events: readonly RecordedEvent<StrategyEvent>[]): readonly RowChange[] => {
  const named = new Map<string, string>();
  for (const { data } of events) {
    for (const name of 'record' in data ? data.record.categories : []) {
      const { id, label } = indicatorOf(name);
      if (id !== '') named.set(id, label);
    }
  }
  return [...named].map(([id, label]) => ({ op: 'put', table: indicators, key: { id }, row: { label } }));
};

const simpleFigures: Readonly<Record<string, keyof typeof figureColumns>> = {
  total_pandl_percent: 'total_pandl_percent',
  max_equity_drawdown_numeric: 'max_drawdown_percent',
  profit_factor_numeric: 'profit_factor_numeric',
  sharpe_ratio_numeric: 'sharpe_ratio_numeric',
};

/** As the specification has it: here, and only here, a figure that cannot be read is 0. */
const parsedSimple = `
  create or replace view strategies_parsed_simple as
  select ${[...Object.keys(recordColumns), ...Object.keys(timeColumns)].map((column) => `"${column}"`).join(', ')},
    ${Object.entries(simpleFigures)
      .map(([name, column]) => `coalesce(${column}, 0) as ${name}`)
      .join(', ')}
  from strategies`;

/** The catalogue as the specification names its columns, with the numbers in its texts beside them. */
export const strategies = defineProjection<StrategyEvent>({
  name: 'strategies',
  version: 1,
  database: 'catalogue',
  types: { StrategyImported: true, StrategyRevised: true, StrategyAmended: true, StrategyWithdrawn: true },
  tables: [
    {
      name: table,
      key: ['url_id'],
      columns: { ...recordColumns, ...timeColumns, ...figureColumns },
    },
    { name: indicators, key: ['id'], columns: { id: 'text not null', label: 'text not null' } },
  ],
  views: [parsedSimple],
  fold: (events) => [...events.map(changeOf), ...indicatorsIn(events)],
});
