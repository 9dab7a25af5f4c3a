import { useId, useState, type JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { filterTables, shortType, type SchemaTable } from './schema-tree.ts';
import { useSqlSchemaQuery } from './sql-console.api.ts';

type OnInsert = (name: string) => void;

type TableProps = Readonly<{ table: SchemaTable; isOpen: boolean; onInsert: OnInsert }>;

const Columns = ({ table: { name, columns }, onInsert }: Omit<TableProps, 'isOpen'>): JSX.Element => (
  <ul className="schema-columns" aria-label={`Columns of ${name}`}>
    {columns.map((column) => (
      <li key={column.name}>
        <button
          className="schema-name"
          type="button"
          title={`Insert ${column.name} (${column.type})`}
          onClick={() => onInsert(column.name)}
        >
          <span className="mono">{column.name}</span>
          <span className="schema-type">{shortType(column.type)}</span>
        </button>
      </li>
    ))}
  </ul>
);

const Table = ({ table, isOpen: isForced, onInsert }: TableProps): JSX.Element => {
  const [isChosen, setChosen] = useState(false);
  const id = useId();
  const isOpen = isForced || isChosen;
  return (
    <li className="schema-table">
      <div className="schema-head">
        <button
          className="schema-toggle"
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setChosen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} small />
          <span className="mono">{table.name}</span>
          <span className="schema-type">{table.columns.length}</span>
        </button>
        <button
          className="btn btn--quiet btn--sm"
          type="button"
          aria-label={`Insert ${table.name}`}
          onClick={() => onInsert(table.name)}
        >
          Insert
        </button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Columns table={table} onInsert={onInsert} />}
      </div>
    </li>
  );
};

/** The tables and columns that statements can name; a click writes the name into the statement. */
export const SchemaPanel = ({ onInsert }: Readonly<{ onInsert: OnInsert }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useSqlSchemaQuery();
  const [filter, setFilter] = useState('');
  const tables = filterTables(data?.tables ?? [], filter);
  return (
    <section className="schema" aria-label="Tables and columns" aria-busy={!data && !error}>
      <input
        className="input"
        type="search"
        aria-label="Filter tables and columns"
        placeholder="Filter columns"
        maxLength={100}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {error && !data && (
        <RetryNotice
          text="The tables could not be listed. You can still execute statements."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <span className="skeleton schema-waiting" />}
      {data && tables.length === 0 && <p className="hint">No column has this name.</p>}
      <ul className="schema-tables">
        {tables.map((table) => (
          <Table key={table.name} table={table} isOpen={filter.trim() !== ''} onInsert={onInsert} />
        ))}
      </ul>
    </section>
  );
};
