import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { isElementNear } from '../../../ui/browser/near.ts';
import type { Match } from './find-matches.ts';
import type { LineRange } from './line-range.ts';
import type { PineViewer } from './pine-viewer.ts';

export type ViewerState = Readonly<{
  text: string;
  version: number | null;
  label: string;
  isWrapped: boolean;
  matches: readonly Match[];
  current: number;
  marked: LineRange | null;
  onMark: (range: LineRange) => void;
}>;

/**
 * Loads the viewer when the reader comes near it, and keeps it as `state` says. Returns whether it is open: where it
 * cannot be loaded, the plain text stays.
 */
export const usePineViewer = (host: RefObject<HTMLElement | null>, state: ViewerState): boolean => {
  const { text, version, label, isWrapped, matches, current, marked } = state;
  const [viewer, setViewer] = useState<PineViewer | null>(null);
  const onMark = useRef(state.onMark);
  useEffect(() => {
    onMark.current = state.onMark;
  });
  useEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    let isWanted = true;
    let opened: PineViewer | null = null;
    const open = async (): Promise<void> => {
      await isElementNear(parent);
      if (!isWanted) return;
      const { openPineViewer } = await import('./pine-viewer.ts');
      if (!isWanted) return;
      opened = openPineViewer({ parent, text, version, label, onMark: (range) => onMark.current(range) });
      // At once: a frame in which both the viewer and the plain text are there would move the page.
      flushSync(() => setViewer(opened));
    };
    open().catch(() => undefined);
    return () => {
      isWanted = false;
      opened?.destroy();
      setViewer(null);
    };
  }, [host, text, version, label]);
  useEffect(() => viewer?.setWrapped(isWrapped), [viewer, isWrapped]);
  useEffect(() => viewer?.showFound({ matches, current }), [viewer, matches, current]);
  useEffect(() => viewer?.showMarked(marked), [viewer, marked]);
  return viewer !== null;
};
