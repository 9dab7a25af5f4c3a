import { useEffect, useRef, type RefObject } from 'react';

/** A cancellation and its undo replace the button that was pressed: after the dialog the focus stays among the buttons. */
export const useKeptFocus = (
  endsAt: string | null,
  isDialogOpen: boolean,
): RefObject<HTMLDivElement | null> => {
  const buttons = useRef<HTMLDivElement>(null);
  const shown = useRef(endsAt);
  useEffect(() => {
    if (isDialogOpen || shown.current === endsAt) return;
    shown.current = endsAt;
    if (document.activeElement === document.body) buttons.current?.querySelector('button')?.focus();
  }, [endsAt, isDialogOpen]);
  return buttons;
};
