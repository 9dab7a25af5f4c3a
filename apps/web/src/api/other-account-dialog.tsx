import { useEffect, useSyncExternalStore, type JSX } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { sessionOfPage, type OtherAccount } from './session-of-page.ts';

const titleId = 'other-account-title';
const readingMs = 3_000;

const reload = (): void => window.location.reload();

/** Counted while the page is visible, so that the reason can be read before. */
const useReloadSoon = (isOn: boolean): void => {
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = (): void => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(reload, readingMs);
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [isOn]);
};

/** A page that the browser has kept in its memory did not receive what the other pages have said. */
const useCheckAfterReturn = (): void => {
  useEffect(() => {
    const check = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void sessionOfPage.check();
    };
    window.addEventListener('pageshow', check);
    return () => window.removeEventListener('pageshow', check);
  }, []);
};

const textOf = (other: OtherAccount): string =>
  `You are now signed ${other ? `in as ${other.email}` : 'out'} in this browser. This page will reload.`;

/** Covers a page whose account is not the session's any more, and loads it again. */
export const OtherAccountDialog = (): JSX.Element => {
  const other = useSyncExternalStore(sessionOfPage.subscribe, sessionOfPage.other);
  const isOpen = other !== undefined;
  useReloadSoon(isOpen);
  useCheckAfterReturn();
  return (
    <Dialog isOpen={isOpen} titleId={titleId} isAlert onClose={reload}>
      <div className="dialog-body">
        <h2 id={titleId}>Another session</h2>
        <p role="alert">{other !== undefined && textOf(other)}</p>
      </div>
      <div className="dialog-actions">
        <button className="btn btn--primary" type="button" onClick={reload}>
          Reload now
        </button>
      </div>
    </Dialog>
  );
};
