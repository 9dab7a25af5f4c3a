import { explorerRoutes } from '@tapedeck/explorer/contract';
import * as z from 'zod';
import { laterPosition } from '../../api/tape-position.ts';

export type CatalogueNews = Readonly<{
  /** Tape position of the newest catalogue heard of. */
  position: string | null;
  /** False while nobody would tell of a change. */
  isLive: boolean;
}>;

const CatalogueMoved = z.object({ position: z.string().regex(/^\d+$/) });
const retryAfter = 5_000;

const positionIn = (data: unknown): string | null => {
  try {
    return CatalogueMoved.parse(JSON.parse(String(data))).position;
  } catch {
    return null;
  }
};

/** Tells of every change of the catalogue until the answer is called. */
export const listenForNews = (tell: (news: CatalogueNews) => void): (() => void) => {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let position: string | null = null;
  const close = (): void => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    // Browsers allow six connections to a host: a page nobody looks at must not keep one.
    if (document.hidden) {
      tell({ position, isLive: false });
      return;
    }
    source = new EventSource(explorerRoutes.changes);
    source.addEventListener('open', () => tell({ position, isLive: true }));
    source.addEventListener('message', ({ data }) => {
      position = laterPosition(position, positionIn(data));
      tell({ position, isLive: true });
    });
    source.addEventListener('error', () => {
      tell({ position, isLive: false });
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, retryAfter);
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
};
