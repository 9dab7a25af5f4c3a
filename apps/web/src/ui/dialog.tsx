import { useEffect, useRef, type JSX, type ReactNode } from 'react';

export type DialogProps = Readonly<{
  isOpen: boolean;
  /** Id of the heading inside. */
  titleId: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}>;

/** Over the whole page; Escape closes it and the focus returns to where it was. Its children exist only while it is open. */
export const Dialog = ({ isOpen, titleId, className = '', onClose, children }: DialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className={`dialog ${className}`} aria-labelledby={titleId} onClose={onClose}>
      {isOpen && children}
    </dialog>
  );
};
