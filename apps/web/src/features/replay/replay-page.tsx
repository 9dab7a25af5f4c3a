import type { ReplayOutcome, ReplayPlan, ReplaySummary } from '@tapedeck/replay/contract';
import { maxReasonLength } from '@tapedeck/replay/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { detailsOf, failureOf, problemText } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ErrorDetails } from '../../ui/error-details.tsx';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { formatTime } from '../../ui/format.ts';
import { OutsideWorkList, SendConfirmation } from './outside-work.tsx';
import { PlanView } from './plan-view.tsx';
import { useApplyReplayMutation, useReplayQuery, useTryReplayMutation } from './replay.api.ts';
import { ReplayStatus } from './replay-status.tsx';
import { counted, modes, targetText, tryFailedText } from './replay-words.ts';

type ApplyProps = Readonly<{
  plan: ReplayPlan;
  isInterrupted: boolean;
  onOutcome: (outcome: ReplayOutcome) => void;
}>;

const ApplyForm = ({ plan, isInterrupted, onOutcome }: ApplyProps): JSX.Element => {
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isConfirmed, setConfirmed] = useState(false);
  const [apply, { isLoading, error }] = useApplyReplayMutation();
  const { replayId, fingerprint, eventCount, released, outside } = plan;
  const sent = outside.filter(({ key }) => chosen.has(key));
  const isNothing = !isInterrupted && eventCount + released + sent.length === 0;
  const isReady = reason.trim() !== '' && !isNothing && (sent.length === 0 || isConfirmed);
  const choose = (keys: ReadonlySet<string>): void => {
    setChosen(keys);
    setConfirmed(false);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading || !isReady) return;
    const releases = sent.map(({ key }) => key);
    const { data } = await apply({ replayId, body: { fingerprint, reason: reason.trim(), releases } });
    if (data) onOutcome(data);
  };
  return (
    <section className="card" aria-labelledby="apply-title">
      <div className="card-head">
        <h2 id="apply-title">{isInterrupted ? 'Complete it' : 'Apply it'}</h2>
      </div>
      <form className="card-pad stack" onSubmit={(event) => void submit(event)}>
        {isInterrupted && (
          <p>
            Applying it was interrupted. What is on the tape stays, and the rest follows automatically within
            two minutes; this button appends it at once.
          </p>
        )}
        {!isInterrupted && outside.length > 0 && (
          <OutsideWorkList work={outside} chosen={chosen} onChange={choose} />
        )}
        <div className="field">
          <label className="label" htmlFor="replay-reason">
            Reason
          </label>
          <textarea
            className="input"
            id="replay-reason"
            rows={2}
            required
            maxLength={maxReasonLength}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <span className="hint">This is recorded with your name, for later audits of this member.</span>
        </div>
        {sent.length > 0 && (
          <SendConfirmation work={sent} isConfirmed={isConfirmed} onChange={setConfirmed} />
        )}
        <InlineError
          problem={failureOf(
            error,
            'It is not known whether it was applied: press the button again, which is safe.',
          )}
        />
        <ActionButton className="btn btn--primary" type="submit" isBusy={isLoading} disabled={!isReady}>
          {isLoading ? 'Applying...' : eventCount > 0 ? `Apply ${counted(eventCount, 'event')}` : 'Apply'}
        </ActionButton>
      </form>
    </section>
  );
};

type AfterwardsProps = Readonly<{
  replay: ReplaySummary;
  onAgain: () => void;
  isRunning: boolean;
  /** Why it could not be run again. */
  problem: Problem | null;
}>;

const Afterwards = ({ replay, onAgain, isRunning, problem }: AfterwardsProps): JSX.Element => (
  <div className="notice notice--ok" role="status">
    <Icon name="check" />
    <div>
      <strong>Applied</strong>
      {replay.appliedAt !== null && ` on ${formatTime(replay.appliedAt)}`}
      {replay.appliedBy !== null && ` by ${replay.appliedByName ?? replay.appliedBy}`}
      {replay.reason !== null && `: “${replay.reason}”`}
      <div className="row">
        <ActionButton className="btn btn--sm" type="button" isBusy={isRunning} onClick={onAgain}>
          <Icon name="refresh" />
          Run it again
        </ActionButton>
        {replay.accountId !== null && (
          <Link className="btn btn--sm" to={`/admin/members/${replay.accountId}`}>
            See the member
          </Link>
        )}
      </div>
      <InlineError problem={problem} />
    </div>
  </div>
);

const Hashes = ({ replay }: Readonly<{ replay: ReplaySummary }>): JSX.Element => (
  <details className="replay-hashes">
    <summary>Fingerprint and hashes</summary>
    <dl className="facts">
      {(
        [
          ['Fingerprint', replay.fingerprint],
          ['Before', replay.beforeHash],
          ['After', replay.afterHash],
        ] as const
      ).map(([name, hash]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="mono">{hash}</dd>
        </div>
      ))}
    </dl>
  </details>
);

/** What it is about, with a link to its member. */
const Target = ({ target, accountId, accountName }: ReplaySummary): JSX.Element => {
  const text = targetText(target, accountName);
  return accountId === null ? <>{text}</> : <Link to={`/admin/members/${accountId}`}>{text}</Link>;
};

type LoadedProps = Readonly<{ replay: ReplaySummary; plan: ReplayPlan | null }>;

const Loaded = ({ replay, plan }: LoadedProps): JSX.Element => {
  const navigate = useNavigate();
  // What the page that has led here says about this one.
  const isOutdated = (useLocation().state as Readonly<{ isOutdated?: boolean }> | null)?.isOutdated ?? false;
  const [applied, setApplied] = useState<ReplayPlan | null>(null);
  const [tryAgain, { isLoading, error }] = useTryReplayMutation();
  const { mode, target, status, triedAt, triedBy, triedByName } = replay;
  const again = async (): Promise<void> => {
    const { data } = await tryAgain({ mode, target });
    if (data) await navigate(`/admin/replays/${data.replayId}`);
  };
  const follow = async ({ outcome, plan: shown }: ReplayOutcome): Promise<void> => {
    if (outcome === 'applied') setApplied(plan ?? shown);
    else await navigate(`/admin/replays/${shown.replayId}`, { state: { isOutdated: true } });
  };
  const isDone = applied !== null || status === 'applied';
  const shown = applied ?? plan;
  const canApply =
    !isDone &&
    shown !== null &&
    (shown.eventCount + shown.released + shown.outside.length > 0 || status === 'applying');
  return (
    <main className="wrap member-page" id="main">
      <div className="member-head">
        <div>
          <Link className="meta back-link" to="/admin/replays">
            Replays
          </Link>
          <h1>{modes[mode].name}</h1>
          <p className="meta">
            <Target {...replay} /> · dry run of {formatTime(triedAt)} by {triedByName ?? triedBy}
          </p>
        </div>
        <ReplayStatus status={isDone ? 'applied' : status} />
      </div>
      {isOutdated && !isDone && (
        <div className="notice notice--warn" role="alert">
          <Icon name="warn" />
          The tape or Stripe has changed since the dry run that you confirmed, and nothing was applied. This
          is the difference as it is now: look at it, and confirm it again.
        </div>
      )}
      {isDone && (
        <Afterwards
          replay={replay}
          isRunning={isLoading}
          problem={failureOf(error, tryFailedText)}
          onAgain={() => void again()}
        />
      )}
      {shown && (
        <PlanView plan={shown} isApplied={isDone}>
          {canApply && (
            <ApplyForm
              plan={shown}
              isInterrupted={status === 'applying'}
              onOutcome={(outcome) => void follow(outcome)}
            />
          )}
        </PlanView>
      )}
      <Hashes replay={replay} />
    </main>
  );
};

/** `/admin/replays/:replayId`: what a replay would change now, and its confirmation. */
export const ReplayPage = ({ replayId }: Readonly<{ replayId: string }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useReplayQuery(replayId);
  if (data) return <Loaded replay={data.replay} plan={data.plan} />;
  if (!error) {
    return (
      <main className="wrap member-page" id="main" aria-busy="true">
        <p className="meta" role="status">
          Comparing...
        </p>
        <span className="skeleton card-skeleton" aria-hidden="true" />
      </main>
    );
  }
  const details = detailsOf(error);
  return (
    <MessagePage
      title="The replay could not be loaded"
      text={problemText(error, 'Nothing was changed. Try again in a moment.')}
    >
      <button className="btn" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
        Try again
      </button>
      <Link className="btn" to="/admin/replays">
        All replays
      </Link>
      {details !== null && <ErrorDetails details={details} />}
    </MessagePage>
  );
};
