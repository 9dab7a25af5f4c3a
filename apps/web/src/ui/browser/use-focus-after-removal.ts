import { useEffect, useRef, type RefObject } from 'react';

/**
 * For a list whose entries disappear: when the focused element of this container is removed, the focus goes to the heading
 * (with `tabIndex={-1}`), so that the keyboard continues from there and not from the beginning of the page.
 */
export const useFocusAfterRemoval = <T extends HTMLElement>(headingId: string): RefObject<T | null> => {
  const container = useRef<T>(null);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const element = container.current;
    const onFocus = ({ target }: FocusEvent): void => {
      focused.current = target instanceof Element ? target : null;
    };
    element?.addEventListener('focusin', onFocus);
    return () => element?.removeEventListener('focusin', onFocus);
  }, []);
  useEffect(() => {
    const isRemoved = focused.current !== null && !focused.current.isConnected;
    if (!isRemoved || document.activeElement !== document.body) return;
    focused.current = null;
    document.getElementById(headingId)?.focus();
  });
  return container;
};
