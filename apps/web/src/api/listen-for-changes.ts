import { Change, changesReady, platformRoutes } from '@tapedeck/platform/contract';

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
}>;

const minReconnectMs = 5_000;
const maxReconnectMs = 60_000;

const readChange = (data: unknown): Change | undefined => {
  try {
    return Change.parse(JSON.parse(String(data)));
  } catch {
    return undefined;
  }
};

const thisBrowser = (): Browser => ({ page: document, open: (url) => new EventSource(url) });

/** Reports the changes of all topics (server-sent events) until the returned function is called. */
export const listenForChanges = (
  { onReady, onChange, onLost }: ChangeListener,
  { page, open: openSource }: Browser = thisBrowser(),
): (() => void) => {
  let source: EventSource | null = null;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let reconnectMs = minReconnectMs;
  const close = (): void => {
    clearTimeout(reconnect);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    // Browsers allow six connections per host: a hidden page must not hold one.
    if (page.hidden) return onLost();
    const opened = openSource(platformRoutes.changes);
    source = opened;
    opened.addEventListener(changesReady, () => {
      reconnectMs = minReconnectMs;
      onReady();
    });
    opened.addEventListener('message', ({ data }) => {
      const change = readChange(data);
      if (change) onChange(change);
    });
    opened.addEventListener('error', () => {
      onLost();
      // Otherwise the browser connects again by itself.
      if (opened.readyState !== EventSource.CLOSED) return;
      reconnect = setTimeout(open, reconnectMs);
      reconnectMs = Math.min(2 * reconnectMs, maxReconnectMs);
    });
  };
  page.addEventListener('visibilitychange', open);
  open();
  return () => {
    page.removeEventListener('visibilitychange', open);
    close();
  };
};
