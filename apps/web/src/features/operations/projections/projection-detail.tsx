import { maxReasonLength, type Change, type Consumer } from '@tapedeck/operations/contract';
import { useState, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '../../../api/problem-text.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { formatSecond, formatWhole } from '../../../ui/format.ts';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { changeUnderWay } from './change.ts';
import { useRebuildMutation, useRollBackMutation } from './projections.api.ts';

const outcomes: Readonly<Record<Change['state'], string>> = {
  requested: 'asked for',
  running: 'under way',
  cancelling: 'being cancelled',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

const ChangeText = ({ change }: Readonly<{ change: Change }>): JSX.Element => (
  <>
    {change.kind === 'rebuild' ? 'Rebuild' : 'Roll-back'} {outcomes[change.state]},{' '}
    {formatSecond(change.endedAt ?? change.startedAt ?? change.requestedAt)}, for{' '}
    <Link to={`/admin/members/${change.requestedBy}`}>
      {change.requestedByName ?? change.requestedBy.slice(0, 8)}
    </Link>
    {change.reason !== null && <>: “{change.reason}”</>}
    {change.cancelledBy !== null && (
      <>
        , cancelled by{' '}
        <Link to={`/admin/members/${change.cancelledBy}`}>
          {change.cancelledByName ?? change.cancelledBy.slice(0, 8)}
        </Link>
      </>
    )}
    {change.error !== null && <span className="proj-error">{change.error}</span>}
  </>
);

type Line = Readonly<{ name: string; value: ReactNode }>;

const standbyText = (consumer: Consumer): string | null => {
  const { standby } = consumer;
  if (!standby || changeUnderWay(consumer)) return null;
  if (standby.retiredAt === null) return 'A build that did not end. It is dropped after some days.';
  return `Used until ${formatSecond(standby.retiredAt)}, at position ${formatWhole(Number(standby.position))}`;
};

const linesOf = (consumer: Consumer): readonly Line[] => {
  const { change, lastError, standby, parkedKeys } = consumer;
  const before = standbyText(consumer);
  return [
    { name: 'Database', value: consumer.database },
    ...(change ? [{ name: 'Last change', value: <ChangeText change={change} /> }] : []),
    ...(before === null
      ? []
      : [{ name: standby?.retiredAt ? 'Build before' : 'Other build', value: before }]),
    ...(lastError === null ? [] : [{ name: 'Last error', value: lastError }]),
    ...(standby?.lastError ? [{ name: 'Error of the other build', value: standby.lastError }] : []),
    ...parkedKeys.map(({ key, events, error }) => ({
      name: `${formatWhole(events)} parked`,
      value: (
        <Link to={`/admin/parked-events?consumer=${consumer.name}`}>
          {key === 'events' ? '' : `${key}: `}
          {error ?? 'behind another one'}
        </Link>
      ),
    })),
  ];
};

type Opened = 'rebuild' | 'roll-back' | 'cancel' | null;

const Actions = ({ consumer }: Readonly<{ consumer: Consumer }>): JSX.Element => {
  const { name, standby } = consumer;
  const [opened, setOpened] = useState<Opened>(null);
  const [rebuild] = useRebuildMutation();
  const [rollBack] = useRollBackMutation();
  const close = (): void => setOpened(null);
  const underWay = changeUnderWay(consumer);
  const isBusy = underWay !== null;
  const hasBefore = standby !== null && standby.retiredAt !== null;
  return (
    <div className="row">
      <ActionButton
        className="btn btn--sm"
        type="button"
        isBusy={isBusy}
        onClick={() => setOpened('rebuild')}
      >
        Rebuild
      </ActionButton>
      {hasBefore && (
        <ActionButton
          className="btn btn--sm"
          type="button"
          isBusy={isBusy}
          onClick={() => setOpened('roll-back')}
        >
          Roll back to the build before
        </ActionButton>
      )}
      {underWay && (
        <button
          className="btn btn--sm"
          type="button"
          disabled={underWay.state === 'cancelling'}
          onClick={() => setOpened('cancel')}
        >
          Cancel the {underWay.kind}
        </button>
      )}
      <CancelDialog name={name} change={opened === 'cancel' ? underWay : null} onClose={close} />
      <ReasonDialog
        isOpen={opened === 'rebuild'}
        title={`Rebuild ${name}?`}
        maxLength={maxReasonLength}
        action="Rebuild"
        onConfirm={async (reason) =>
          failureOf((await rebuild({ name, body: { reason } })).error, 'Nothing was changed: try again.')
        }
        onClose={close}
      >
        <p>
          It is built again from the first event, beside the one in use, and takes its place at the end of the
          tape. {hasBefore ? 'The build before the one in use is deleted now.' : ''}
        </p>
      </ReasonDialog>
      <ReasonDialog
        isOpen={opened === 'roll-back'}
        title={`Roll ${name} back?`}
        maxLength={maxReasonLength}
        action="Roll back"
        isDangerous
        onConfirm={async (reason) =>
          failureOf((await rollBack({ name, body: { reason } })).error, 'Nothing was changed: try again.')
        }
        onClose={close}
      >
        <p>
          The build before reads the {formatWhole(standby?.lagEvents ?? 0)} positions that have come since,
          and is then used again. The one that is used now stays, so that you can roll back to it in turn.
        </p>
      </ReasonDialog>
    </div>
  );
};

export type ProjectionDetailProps = Readonly<{ id: string; consumer: Consumer }>;

/** What else is known about it, and what can be done. */
export const ProjectionDetail = ({ id, consumer }: ProjectionDetailProps): JSX.Element => (
  <div className="proj-detail" id={id}>
    <dl className="facts">
      {linesOf(consumer).map(({ name, value }, index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {consumer.kind === 'projection' && consumer.status === 'live' && <Actions consumer={consumer} />}
  </div>
);
