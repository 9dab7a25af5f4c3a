import type { SessionList } from '@tapedeck/identity/contract';
import { useState, type JSX } from 'react';
import { detailsOf, problemOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useFocusAfterRemoval } from '../../ui/browser/use-focus-after-removal.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from './identity.api.ts';

const titleId = 'sessions-title';

type EndSessions = (
  end: () => Promise<Readonly<{ error?: unknown }>>,
  texts: Readonly<{ done: string; failed: string }>,
) => Promise<void>;

/** Ends sessions, and says why that has failed. */
const useEnd = (): Readonly<{ problem: Problem | null; run: EndSessions }> => {
  const [problem, setProblem] = useState<Problem | null>(null);
  const run: EndSessions = async (end, { done, failed }) => {
    setProblem(null);
    const { error } = await end();
    if (error) setProblem(problemOf(error, failed));
    else showToast({ kind: 'ok', title: 'Signed out', text: done });
  };
  return { problem, run };
};

/** In the reader's own time: it is compared with memory, not with other records. */
const Moment = ({ time }: Readonly<{ time: string }>): JSX.Element => (
  <time dateTime={time}>
    {new Date(time).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })}
  </time>
);

const placeText = ({ place, isSameNetwork, isCurrent }: SessionList[number]): string => {
  const network = isSameNetwork ? 'the same network as now' : 'another network';
  if (place === null) return isCurrent ? 'an unknown place' : network;
  return isCurrent ? place : `${place}, ${network}`;
};

type SessionLineProps = Readonly<{ session: SessionList[number]; onEnd: EndSessions }>;

const SessionLine = ({ session, onEnd }: SessionLineProps): JSX.Element => {
  const [endSession, { isLoading }] = useEndSessionMutation();
  const browser = session.browser ?? 'Unknown browser';
  const end = (): Promise<void> =>
    onEnd(() => endSession(session.id), {
      done: 'That browser has to sign in again.',
      failed: `The session of ${browser} could not be ended. Please try again.`,
    });
  return (
    <li>
      <span>
        {browser}
        <br />
        <span className="meta">
          Signed in <Moment time={session.startedAt} /> from {placeText(session)}
          <br />
          Last used <Moment time={session.seenAt} />
        </span>
      </span>
      {session.isCurrent ? (
        <span className="badge badge--ok push">This browser</span>
      ) : (
        <ActionButton
          className="btn btn--sm push"
          type="button"
          aria-label={`Sign out ${browser}`}
          isBusy={isLoading}
          onClick={() => void end()}
        >
          Sign out
        </ActionButton>
      )}
    </li>
  );
};

const Sessions = (): JSX.Element => {
  const { data, error, isFetching, refetch } = useSessionsQuery();
  const [endOthers, { isLoading }] = useEndOtherSessionsMutation();
  const { problem, run } = useEnd();
  const container = useFocusAfterRemoval<HTMLDivElement>(titleId);
  const end = (): Promise<void> =>
    run(endOthers, {
      done: 'All other browsers have to sign in again.',
      failed: 'The other sessions could not be ended. Please try again.',
    });
  return (
    <div ref={container} className="dialog-body" aria-busy={isFetching && !data}>
      <h2 id={titleId} tabIndex={-1}>
        Security Settings
      </h2>
      <p>Browsers in which you are signed in. Sign out any that you do not recognize.</p>
      {!data && !error && <span className="skeleton card-skeleton" />}
      {error && (
        <RetryNotice
          text="Your sessions could not be loaded."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      <ul className="lines">
        {data?.map((session) => (
          <SessionLine key={session.id} session={session} onEnd={run} />
        ))}
      </ul>
      <InlineError problem={problem} />
      {(data?.length ?? 0) > 1 && (
        <div className="row">
          <ActionButton className="btn" type="button" isBusy={isLoading} onClick={() => void end()}>
            Sign out all other browsers
          </ActionButton>
        </div>
      )}
    </div>
  );
};

export type SessionsDialogProps = Readonly<{ isOpen: boolean; onClose: () => void }>;

/** Lists the sessions of the account and ends them. */
export const SessionsDialog = ({ isOpen, onClose }: SessionsDialogProps): JSX.Element => (
  <Dialog isOpen={isOpen} titleId={titleId} onClose={onClose}>
    <Sessions />
    <div className="dialog-actions">
      <button className="btn" type="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);
