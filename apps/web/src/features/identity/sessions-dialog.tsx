import type { SessionList } from '@tapedeck/identity/contract';
import type { JSX } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from './identity.api.ts';

const titleId = 'sessions-title';

const showEnd = (error: unknown, text: string): void =>
  showToast(
    error
      ? { kind: 'danger', title: 'Error', text: 'The session could not be ended. Please try again.' }
      : { kind: 'ok', title: 'Signed out', text },
  );

/** In the reader's own time: it is compared with memory, not with other records. */
const localTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

const Moment = ({ time }: Readonly<{ time: string }>): JSX.Element => (
  <time dateTime={time}>{localTime.format(new Date(time))}</time>
);

const placeText = ({ place, isSameNetwork, isCurrent }: SessionList[number]): string => {
  const network = isSameNetwork ? 'the same network as now' : 'another network';
  if (place === null) return isCurrent ? 'an unknown place' : network;
  return isCurrent ? place : `${place}, ${network}`;
};

const SessionLine = ({ session }: Readonly<{ session: SessionList[number] }>): JSX.Element => {
  const [endSession, { isLoading }] = useEndSessionMutation();
  const end = async (): Promise<void> => {
    const { error } = await endSession(session.id);
    showEnd(error, 'That browser has to sign in again.');
  };
  const browser = session.browser ?? 'Unknown browser';
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
        <button
          className="btn btn--sm push"
          type="button"
          aria-label={`Sign out ${browser}`}
          disabled={isLoading}
          onClick={() => void end()}
        >
          Sign out
        </button>
      )}
    </li>
  );
};

const Sessions = (): JSX.Element => {
  const { data, isError, isFetching, refetch } = useSessionsQuery();
  const [endOthers, { isLoading }] = useEndOtherSessionsMutation();
  const end = async (): Promise<void> => {
    const { error } = await endOthers();
    showEnd(error, 'All other browsers have to sign in again.');
  };
  return (
    <div className="dialog-body" aria-busy={isFetching && !data}>
      <h2 id={titleId}>Security Settings</h2>
      <p>Browsers in which you are signed in. Sign out those that you do not know.</p>
      {!data && !isError && <span className="skeleton card-skeleton" />}
      {isError && (
        <RetryNotice
          text="Your sessions could not be loaded."
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      <ul className="lines">
        {data?.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
      {(data?.length ?? 0) > 1 && (
        <div className="row">
          <button className="btn" type="button" disabled={isLoading} onClick={() => void end()}>
            Sign out all other browsers
          </button>
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
