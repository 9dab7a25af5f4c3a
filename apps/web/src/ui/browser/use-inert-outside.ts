import { useEffect, type RefObject } from 'react';

/** Dialogs open above the element, and messages must stay audible. */
const staysActive = 'dialog, :has(> .toasts)';

/** The elements beside this one, and beside each element that contains it. */
const outsideOf = (element: HTMLElement): readonly HTMLElement[] => {
  const { parentElement } = element;
  if (!parentElement || element === document.body) return [];
  const beside = [...parentElement.children].filter(
    (other): other is HTMLElement =>
      other instanceof HTMLElement && other !== element && !other.matches(staysActive),
  );
  return [...beside, ...outsideOf(parentElement)];
};

/** While `isActive`, the keyboard, the pointer and screen readers reach nothing of the page outside of the element. */
export const useInertOutside = (element: RefObject<HTMLElement | null>, isActive: boolean): void => {
  useEffect(() => {
    if (!isActive || !element.current) return;
    const outside = outsideOf(element.current).filter(({ inert }) => !inert);
    for (const each of outside) each.inert = true;
    return () => {
      for (const each of outside) each.inert = false;
    };
  }, [element, isActive]);
};
