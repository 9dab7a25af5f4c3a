import { explorerRoutes } from '@tapedeck/explorer/contract';
import * as z from 'zod';
import { laterPosition } from '../../api/tape-position.ts';

export type CatalogueUpdates = Readonly<{
  /** Tape position of the newest catalogue that was reported. */
  position: string | null;
  /** False while changes would go unreported. */
  isLive: boolean;
}>;

const CatalogueChanged = z.object({ position: z.string().regex(/^\d+$/) });
const reconnectDelayMs = 5_000;

const readPosition = (data: unknown): string | null => {
  try {
    return CatalogueChanged.parse(JSON.parse(String(data))).position;
  } catch {
    return null;
  }
};

/** Reports every change of the catalogue (server-sent events) until the returned function is called. */
export const listenForUpdates = (onUpdate: (updates: CatalogueUpdates) => void): (() => void) => {
  let source: EventSource | null = null;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let position: string | null = null;
  const close = (): void => {
    clearTimeout(reconnect);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    // Browsers allow six connections per host: a hidden page must not hold one.
    if (document.hidden) {
      onUpdate({ position, isLive: false });
      return;
    }
    source = new EventSource(explorerRoutes.changes);
    source.addEventListener('open', () => onUpdate({ position, isLive: true }));
    source.addEventListener('message', ({ data }) => {
      position = laterPosition(position, readPosition(data));
      onUpdate({ position, isLive: true });
    });
    source.addEventListener('error', () => {
      onUpdate({ position, isLive: false });
      if (source?.readyState === EventSource.CLOSED) reconnect = setTimeout(open, reconnectDelayMs);
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
};
