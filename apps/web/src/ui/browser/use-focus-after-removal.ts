import { useCallback, useEffect, useRef, type RefObject } from 'react';

const isEntry = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && node.matches('li[tabindex]');

/** The entry after or before the one that was removed with this element. */
const neighbourOf = (records: readonly MutationRecord[], removed: Element): HTMLElement | null => {
  const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(removed)));
  return [record?.nextSibling ?? null, record?.previousSibling ?? null].find(isEntry) ?? null;
};

/**
 * For a list whose entries disappear: when the focused element of this container is removed, the focus goes to the entry that has
 * taken its place (a `li` with `tabIndex={-1}`), else to the heading (with `tabIndex={-1}`), so that the keyboard continues from
 * there and not from the beginning of the page.
 */
export const useFocusAfterRemoval = <T extends HTMLElement>(headingId: string): RefObject<T | null> => {
  const container = useRef<T>(null);
  const observer = useRef<MutationObserver | null>(null);
  const focused = useRef<Element | null>(null);
  const neighbour = useRef<HTMLElement | null>(null);
  const moveFocus = useCallback(
    (records: readonly MutationRecord[]): void => {
      const removed = focused.current;
      if (removed === null || removed.isConnected) return;
      neighbour.current ??= neighbourOf(records, removed);
      if (document.activeElement !== document.body) return;
      const place = neighbour.current?.isConnected ? neighbour.current : document.getElementById(headingId);
      place?.focus();
      // Under an open dialog nothing can have the focus: this is tried again when it has closed.
      if (document.activeElement === place && focused.current === removed) focused.current = null;
    },
    [headingId],
  );
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      focused.current = target instanceof Element ? target : null;
      neighbour.current = null;
    };
    const onClose = (): void => moveFocus([]);
    const observed = new MutationObserver(moveFocus);
    observed.observe(element, { childList: true, subtree: true });
    observer.current = observed;
    element.addEventListener('focusin', onFocus);
    document.addEventListener('close', onClose, { capture: true });
    return () => {
      observed.disconnect();
      element.removeEventListener('focusin', onFocus);
      document.removeEventListener('close', onClose, { capture: true });
    };
  }, [moveFocus]);
  // The container itself may have been replaced, and this comes before what is observed is reported.
  useEffect(() => moveFocus(observer.current?.takeRecords() ?? []));
  return container;
};
