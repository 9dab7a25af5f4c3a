import { memo, type JSX } from 'react';
import { formatDay } from '../../ui/format.ts';

export type DayChartProps = Readonly<{
  name: string;
  /** What stands beside the name: the value or the sum of the days. */
  value: string;
  days: readonly string[];
  values: readonly number[];
  format: (value: number) => string;
}>;

const width = 8;
const height = 48;
/** Bars of many days touch, so that they stay visible. */
const gapFor = (days: number): number => (days > 120 ? 0 : 1);

const maxOf = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

const Bars = memo(function Bars({
  days,
  values,
  format,
}: Pick<DayChartProps, 'days' | 'values' | 'format'>): JSX.Element {
  const highest = Math.max(1, maxOf(values));
  const gap = gapFor(days.length);
  return (
    <>
      {days.map((day, index) => {
        const value = values[index] ?? 0;
        const size = value <= 0 ? 1 : Math.max(2, (value / highest) * height);
        return (
          <rect
            key={day}
            className={value <= 0 ? 'is-none' : ''}
            x={index * width + gap}
            y={height - size}
            width={width - 2 * gap}
            height={size}
          >
            <title>{`${formatDay(day)}: ${format(value)}`}</title>
          </rect>
        );
      })}
    </>
  );
});

/** A bar for each day. The table beside it has every value. */
export const DayChart = ({ name, value, days, values, format }: DayChartProps): JSX.Element => {
  const [first, last] = [formatDay(days[0] ?? null), formatDay(days.at(-1) ?? null)];
  const highest = format(maxOf(values));
  return (
    <figure className="day-chart">
      <figcaption>
        <span>{name}</span>
        <b>{value}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${Math.max(1, days.length) * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name} by day, ${first} to ${last}: ${value}, at most ${highest}. The values are in the table.`}
      >
        <Bars days={days} values={values} format={format} />
      </svg>
      <p className="day-chart-ends" aria-hidden="true">
        <span>{first}</span>
        <span>max {highest}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
};
