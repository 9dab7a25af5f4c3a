import { Change, changesReady, platformRoutes } from '@tapedeck/platform/contract';
import { retries as retriesOfPage, type Retries, type Retry } from './retry.ts';

export type ChangeListener = Readonly<{
  /** From now on changes are reported; earlier ones may have gone unreported. */
  onReady: () => void;
  onChange: (change: Change) => void;
  /** Changes go unreported from now on. */
  onLost: () => void;
}>;

/** What of the browser it needs. */
export type Browser = Readonly<{
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;
  open: (url: string) => EventSource;
  retries: Retries;
}>;

const readChange = (data: unknown): Change | undefined => {
  try {
    return Change.parse(JSON.parse(String(data)));
  } catch {
    return undefined;
  }
};

const thisBrowser = (): Browser => ({
  page: document,
  open: (url) => new EventSource(url),
  retries: retriesOfPage,
});

/** Reports the changes of all topics (server-sent events) until the returned function is called. */
export const listenForChanges = (
  { onReady, onChange, onLost }: ChangeListener,
  { page, open: openSource, retries }: Browser = thisBrowser(),
): (() => void) => {
  let source: EventSource | null = null;
  let retry: Retry | undefined;
  let failures = 0;
  const close = (): void => {
    source?.close();
    source = null;
  };
  const retryLater = (): void => {
    retry = retries.schedule({ failures, attempt: open });
  };
  const open = (): void => {
    close();
    const opened = openSource(platformRoutes.changes);
    source = opened;
    opened.addEventListener(changesReady, () => {
      failures = 0;
      retries.record({ isAnswered: true });
      onReady();
    });
    opened.addEventListener('message', ({ data }) => {
      const change = readChange(data);
      if (change) onChange(change);
    });
    opened.addEventListener('error', () => {
      // The browser would connect again by itself: every few seconds, for as long as the server fails.
      close();
      onLost();
      failures++;
      retries.record({ isAnswered: false });
      retryLater();
    });
  };
  const onVisibility = (): void => {
    if (!page.hidden) {
      // After a failure it is opened when that is due.
      if (failures === 0) open();
      return;
    }
    onLost();
    // Browsers allow six connections per host: a hidden page must not hold one.
    if (source && failures > 0) retryLater();
    close();
  };
  page.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    page.removeEventListener('visibilitychange', onVisibility);
    retry?.cancel();
    close();
  };
};
