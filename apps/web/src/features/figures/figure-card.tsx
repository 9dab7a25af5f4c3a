import { useId, useState, type JSX, type ReactNode } from 'react';
import { formatDay, formatWhole } from '../../ui/format.ts';
import { DayChart } from './day-chart.tsx';
import type { Series, Shown } from './shown-days.ts';

/** What a figure counts. */
export type Definition = Readonly<{ name: string; text: string }>;

type Formatted = Readonly<{ format?: (value: number) => string }>;

type TableProps = Formatted & Shown & Readonly<{ title: string }>;

const DayTable = ({ title, days, series, format = formatWhole }: TableProps): JSX.Element => (
  // A region that scrolls has to be reached by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="day-table" role="region" aria-label={`${title} by day`} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="num">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .map((day, index) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              {series.map(({ name, values }) => (
                <td key={name} className="num">
                  {format(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  </div>
);

const Table = (props: TableProps): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="figure-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Table by day</summary>
      {isOpen && <DayTable {...props} />}
    </details>
  );
};

const Definitions = ({ definitions }: Readonly<{ definitions: readonly Definition[] }>): JSX.Element => (
  <details className="figure-more">
    <summary>What is counted</summary>
    <dl className="figure-definitions">
      {definitions.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </details>
);

export type FigureCardProps = Formatted &
  Readonly<{
    title: string;
    /** Large, beside the title. */
    value?: string;
    note?: string;
    definitions: readonly Definition[];
    /** The charts. */
    shown: Shown;
    /** What stands beside each chart. */
    valueOf: (series: Series) => string;
    /** Above the charts. */
    children?: ReactNode;
  }>;

export const FigureCard = (props: FigureCardProps): JSX.Element => {
  const { title, value, note, definitions, shown, valueOf, format = formatWhole, children } = props;
  const id = useId();
  return (
    <section className="card figure-card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {value !== undefined && <b className="figure-value push">{value}</b>}
      </div>
      <div className="card-pad stack">
        {note !== undefined && <p className="meta">{note}</p>}
        {children}
        <div className="day-charts">
          {shown.series.map((series) => (
            <DayChart
              key={series.name}
              name={series.name}
              value={valueOf(series)}
              days={shown.days}
              values={series.values}
              format={format}
            />
          ))}
        </div>
        <Definitions definitions={definitions} />
        <Table title={title} format={format} {...shown} />
      </div>
    </section>
  );
};
