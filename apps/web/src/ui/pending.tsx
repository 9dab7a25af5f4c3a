import { useId, type JSX, type ReactNode } from 'react';
import { useSecondsUntil } from './browser/use-seconds-until.ts';
import { useWaitedMs } from './browser/use-waited-ms.ts';
import { Icon } from './icon.tsx';
import { MessagePage } from './message-page.tsx';

const longAfterMs = 2_000;
const tooLongAfterMs = 10_000;

type Wait = 'short' | 'long' | 'too long';

const waitOf = (waitedMs: number): Wait =>
  waitedMs >= tooLongAfterMs ? 'too long' : waitedMs >= longAfterMs ? 'long' : 'short';

/** Sends every request of the page again, also those that are waiting for an answer. */
const reload = (): void => window.location.reload();

export type StillWorkingProps = Readonly<{
  /** What else can be done, beside loading the page again. */
  children?: ReactNode;
}>;

/** Stands beside what is being loaded: after 2 s it says that it still is, after 10 s it offers a choice. */
export const StillWorking = ({ children }: StillWorkingProps): JSX.Element => {
  const wait = waitOf(useWaitedMs(true));
  return (
    <div className="still-working" role="status">
      {wait === 'long' && <p className="meta">Still working...</p>}
      {wait === 'too long' && (
        <div className="notice">
          <div>
            This is taking longer than usual. You can keep waiting, or choose:
            <div className="row">
              <button className="btn btn--sm" type="button" onClick={reload}>
                <Icon name="refresh" />
                Reload the page
              </button>
              {children}
            </div>
          </div>
        </div>
      )}
    </div>
  );
};

export type Failed = Readonly<{
  text: string;
  isRetrying: boolean;
  /** When it is tried again by itself; null if it is not. */
  retryAt: number | null;
  onRetry: () => void;
}>;

export type PendingPageProps = Readonly<{
  /** Null while there is no answer. */
  failed: Failed | null;
  /** What else can be done. */
  children?: ReactNode;
}>;

const FailedPage = ({ failed, children }: Readonly<{ failed: Failed; children: ReactNode }>): JSX.Element => {
  const { text, isRetrying, retryAt, onRetry } = failed;
  const secondsLeft = useSecondsUntil(retryAt);
  const hintId = useId();
  return (
    <MessagePage title="The server is not answering" text={text}>
      <div className="row">
        <button
          className="btn btn--primary"
          type="button"
          aria-busy={isRetrying}
          aria-describedby={hintId}
          onClick={onRetry}
        >
          <Icon name="refresh" />
          Try again
        </button>
        {children}
      </div>
      <p className="hint" id={hintId}>
        {secondsLeft === null ? 'Trying...' : `It is tried again automatically, next in ${secondsLeft} s.`}
      </p>
    </MessagePage>
  );
};

/** Replaces a page that cannot be shown before the server has answered: nothing, then words, then a choice. */
export const PendingPage = ({ failed, children }: PendingPageProps): JSX.Element => {
  const wait = waitOf(useWaitedMs(failed === null));
  if (failed) return <FailedPage failed={failed}>{children}</FailedPage>;
  if (wait === 'short') return <main id="main" aria-busy="true" />;
  return (
    <MessagePage
      title={wait === 'long' ? 'Still working...' : 'This is taking longer than usual'}
      text={
        wait === 'long'
          ? 'The server has not answered yet.'
          : 'The server has not answered yet. You can keep waiting, or choose:'
      }
    >
      {wait === 'too long' && (
        <div className="row">
          <button className="btn btn--primary" type="button" onClick={reload}>
            <Icon name="refresh" />
            Reload the page
          </button>
          {children}
        </div>
      )}
    </MessagePage>
  );
};
