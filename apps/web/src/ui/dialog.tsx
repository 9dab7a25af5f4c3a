import { useEffect, useRef, type JSX, type ReactNode } from 'react';

export type DialogProps = Readonly<{
  isOpen: boolean;
  /** Id of the heading inside. */
  titleId: string;
  className?: string;
  /** The command palette, which its own key closes. */
  isPalette?: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** Over the whole page; Escape closes it and the focus returns to where it was. Its children exist only while it is open. */
export const Dialog = (props: DialogProps): JSX.Element => {
  const { isOpen, titleId, className = '', isPalette = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      data-palette={isPalette || undefined}
      onClose={onClose}
    >
      {isOpen && children}
    </dialog>
  );
};
