import type { Consumer } from '@tapedeck/operations/contract';
import type { JSX, ReactNode } from 'react';
import { formatDuration } from '../../../ui/duration.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { changeUnderWay } from './change.ts';
import { ProjectionDetail } from './projection-detail.tsx';
import { mainKey, progressOf, rateOf, standbyKey, type Sample } from './rates.ts';

const formatRate = (rate: number | null): string => {
  if (rate === null) return '—';
  return `${rate >= 10 || rate === 0 ? formatWhole(rate) : rate.toFixed(1)}/s`;
};

type CellProps = Readonly<{ label: string; children: ReactNode; isNumber?: boolean }>;

const Cell = ({ label, children, isNumber = false }: CellProps): JSX.Element => (
  <span className={isNumber ? 'proj-cell num' : 'proj-cell'}>
    <span className="proj-label">{label}</span> {children}
  </span>
);

type RowProps = Readonly<{
  consumer: Consumer;
  samples: readonly Sample[];
  isOpen: boolean;
  onToggle: () => void;
}>;

const leaseText = ({ lease }: Consumer): string =>
  lease ? `${lease.host} · ${lease.pid} · ${Math.ceil(lease.seconds)} s` : 'no process';

const RebuildProgress = ({ consumer, samples }: Pick<RowProps, 'consumer' | 'samples'>): JSX.Element => {
  const { change, standby, name } = consumer;
  if (change?.state === 'cancelling') {
    return (
      <p className="proj-progress meta" role="status">
        The {change.kind} is being cancelled.
      </p>
    );
  }
  const toRead = change?.eventsToRead ?? null;
  if (change?.kind !== 'rebuild' || toRead === null || !standby) {
    const what = change?.kind === 'rebuild' ? 'The rebuild' : 'The roll-back';
    const left =
      standby && change?.kind === 'roll-back' ? `, ${formatWhole(standby.lagEvents)} positions to read` : '';
    return (
      <p className="proj-progress meta" role="status">
        {what} begins{left}.
      </p>
    );
  }
  const rate = rateOf(samples, standbyKey(consumer));
  const { read, share, secondsLeft } = progressOf(standby.eventsRead, toRead, rate);
  const left =
    share === 1
      ? 'reads what is new'
      : secondsLeft === null
        ? ''
        : `about ${formatDuration(secondsLeft)} left`;
  return (
    <div className="proj-progress">
      <progress aria-label={`Rebuild of ${name}`} max={1} value={share} />
      <span className="meta">
        {formatWhole(read)} of {formatWhole(toRead)} events
      </span>
      <span className="meta">{formatRate(rate)}</span>
      <span className="meta">{left}</span>
    </div>
  );
};

const Status = ({ consumer }: Pick<RowProps, 'consumer'>): JSX.Element | null => {
  const { status, lastError, change } = consumer;
  if (lastError !== null) return <span className="badge badge--danger">error</span>;
  if (changeUnderWay(consumer)) return <span className="badge badge--accent">{change?.kind}</span>;
  if (change?.state === 'failed') return <span className="badge badge--danger">{change.kind} failed</span>;
  return status === 'live' ? null : <span className="badge badge--plain">{status}</span>;
};

/** One projection, reaction or effect; its details are below when it is open. */
export const ProjectionRow = ({ consumer, samples, isOpen, onToggle }: RowProps): JSX.Element => {
  const { name, kind, version, position, lagEvents, lagSeconds, parked } = consumer;
  const id = `projection-${name}-${version}`;
  // Due dates are read from a read model.
  const followsTape = kind !== 'due-dates';
  return (
    <li className="proj">
      <div className="proj-row">
        <span className="proj-cell proj-title">
          <button
            className="proj-name"
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            <Icon name={isOpen ? 'down' : 'right'} small />
            {name}
          </button>
          <Status consumer={consumer} />
        </span>
        <Cell label={kind === 'projection' ? 'Version' : 'Kind'}>
          {kind === 'projection' ? version : kind}
        </Cell>
        <Cell label="Position" isNumber>
          {followsTape ? formatWhole(Number(position)) : '—'}
        </Cell>
        <Cell label="Lag" isNumber>
          {followsTape ? `${formatWhole(lagEvents)} · ${formatDuration(lagSeconds)}` : '—'}
        </Cell>
        <Cell label="Rate" isNumber>
          {formatRate(followsTape ? rateOf(samples, mainKey(consumer)) : null)}
        </Cell>
        <Cell label="Runs in">{leaseText(consumer)}</Cell>
        <Cell label="Parked" isNumber>
          {parked === 0 ? '0' : <b className="proj-parked">{formatWhole(parked)}</b>}
        </Cell>
      </div>
      {changeUnderWay(consumer) && <RebuildProgress consumer={consumer} samples={samples} />}
      {isOpen && <ProjectionDetail id={id} consumer={consumer} />}
    </li>
  );
};
