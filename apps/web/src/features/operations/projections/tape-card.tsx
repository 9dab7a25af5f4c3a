import type { TapeFigures } from '@tapedeck/operations/contract';
import type { JSX } from 'react';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatSecond, formatWhole } from '../../../ui/format.ts';
import { detailsOf } from '../../../api/problem-text.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { useTapeFiguresQuery } from './projections.api.ts';

const pollMs = 5_000;

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

const formatBytes = (bytes: number): string => {
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toFixed(power > 0 && value < 100 ? 1 : 0)} ${units[power]}`;
};

type Fact = Readonly<{ name: string; value: string; note?: string }>;

const Facts = ({ facts }: Readonly<{ facts: readonly Fact[] }>): JSX.Element => (
  <dl className="tape-facts">
    {facts.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note !== undefined && <span className="meta">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
);

const endFact = (name: string, end: TapeFigures['oldest']): Fact =>
  end
    ? { name, value: formatSecond(end.recordedAt), note: `${end.type} · ${end.position}` }
    : { name, value: '—' };

type DaysProps = Pick<TapeFigures, 'days'> & Readonly<{ category: string }>;

const width = 8;
const height = 36;

/** A bar for each of the 30 days, of one module. */
const Days = ({ days, category }: DaysProps): JSX.Element => {
  const counts = days.map(({ events }) => events[category] ?? 0);
  const highest = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <figure className="tape-days">
      <figcaption>
        <span>{category}</span>
        <span className="meta">{formatWhole(total)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Events of ${category} by day, ${first} to ${last}: ${counts.join(', ')}`}
      >
        {days.map(({ day }, index) => {
          const count = counts[index] ?? 0;
          const size = count === 0 ? 1 : Math.max(2, (count / highest) * height);
          return (
            <rect
              key={day}
              className={count === 0 ? 'is-none' : ''}
              x={index * width + 1}
              y={height - size}
              width={width - 2}
              height={size}
            >
              <title>{`${day}: ${formatWhole(count)}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
};

const Index = ({ index }: Readonly<{ index: NonNullable<TapeFigures['index']> }>): JSX.Element => (
  <section className="card" aria-labelledby="index-title">
    <div className="card-head">
      <h2 id="index-title">Elasticsearch index</h2>
      {!index.isAvailable && <span className="badge badge--danger push">not available</span>}
    </div>
    <div className="card-pad">
      <Facts
        facts={[
          { name: 'Alias', value: index.alias, ...(index.name === null ? {} : { note: index.name }) },
          { name: 'Documents', value: index.documents === null ? '—' : formatWhole(index.documents) },
          { name: 'Position', value: index.position === null ? '—' : formatWhole(Number(index.position)) },
          { name: 'Size', value: index.bytes === null ? '—' : formatBytes(index.bytes) },
        ]}
      />
    </div>
  </section>
);

const Figures = ({ tape }: Readonly<{ tape: TapeFigures }>): JSX.Element => (
  <div className="card-pad tape-figures">
    <Facts
      facts={[
        { name: 'Events', value: formatWhole(tape.events) },
        { name: 'On disk', value: formatBytes(tape.bytes) },
        endFact('Oldest', tape.oldest),
        endFact('Newest', tape.newest),
      ]}
    />
    {tape.categories.length === 0 ? (
      <p className="meta">Nothing was recorded in the last 30 days.</p>
    ) : (
      <div className="tape-charts" role="group" aria-label="Events by day, the last 30 days">
        {tape.categories.map((category) => (
          <Days key={category} days={tape.days} category={category} />
        ))}
      </div>
    )}
  </div>
);

/** What the tape contains, and the index where there is one. */
export const TapeCards = (): JSX.Element => {
  const query = useTapeFiguresQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <>
      <section className="card" aria-labelledby="tape-title">
        <div className="card-head">
          <h2 id="tape-title">Tape</h2>
          <span className="meta">events by day and module, the last 30 days</span>
        </div>
        {!data && !error && <span className="skeleton tape-skeleton" />}
        {!data && error && (
          <div className="card-pad">
            <RetryNotice
              text="The figures of the tape could not be loaded."
              details={detailsOf(error)}
              isRetrying={isFetching}
              onRetry={() => void refetch()}
            />
          </div>
        )}
        {data && <Figures tape={data} />}
      </section>
      {data?.index && <Index index={data.index} />}
    </>
  );
};
