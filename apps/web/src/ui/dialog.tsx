import { useEffect, useRef, useSyncExternalStore, type JSX, type ReactNode } from 'react';

export type DialogProps = Readonly<{
  isOpen: boolean;
  /** Id of the heading inside. */
  titleId: string;
  className?: string;
  /** The command palette, which its own key closes. */
  isPalette?: boolean;
  /** It interrupts what is being done. */
  isAlert?: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** The last one is on top. */
let openDialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

const setOpenDialogs = (next: readonly HTMLDialogElement[]): void => {
  openDialogs = next;
  listeners.forEach((listener) => listener());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The dialog that covers everything else of the page; null while there is none. */
export const useTopDialog = (): HTMLDialogElement | null =>
  useSyncExternalStore(subscribe, () => openDialogs.at(-1) ?? null);

/** What has opened a dialog: an item of a menu disappears with the menu, whose button stays. */
const openerOf = (focused: Element | null): (() => Element | null) => {
  const buttonId = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '';
  return () => (focused?.isConnected ? focused : document.getElementById(buttonId));
};

/** Opens it over the page until the returned function is called, which returns the focus. */
const openDialog = (dialog: HTMLDialogElement): (() => void) => {
  const opener = openerOf(document.activeElement);
  dialog.showModal();
  setOpenDialogs([...openDialogs, dialog]);
  return () => {
    dialog.close();
    setOpenDialogs(openDialogs.filter((each) => each !== dialog));
    const element = opener();
    // The browser has returned it unless its element has been removed meanwhile.
    if (document.activeElement === document.body && element instanceof HTMLElement) element.focus();
  };
};

/** Over the whole page; Escape closes it and the focus returns to where it was. Its children exist only while it is open. */
export const Dialog = (props: DialogProps): JSX.Element => {
  const { isOpen, titleId, className = '', isPalette = false, isAlert = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => (isOpen && dialog.current ? openDialog(dialog.current) : undefined), [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      data-palette={isPalette || undefined}
      onClose={() => {
        // Its owner has closed it, or it is open again.
        if (isOpen && !dialog.current?.open) onClose();
      }}
    >
      {isOpen && children}
    </dialog>
  );
};
