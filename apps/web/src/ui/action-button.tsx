import type { ButtonHTMLAttributes, JSX, MouseEvent } from 'react';

export type ActionButtonProps = Readonly<
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
    type: 'button' | 'submit';
    /** What it has started is under way. */
    isBusy: boolean;
  }
>;

/** Does nothing while it is busy and keeps the focus, which a disabled button loses. */
export const ActionButton = ({ isBusy, onClick, ...button }: ActionButtonProps): JSX.Element => {
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // Enter in a field of the form presses it too.
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    // oxlint-disable-next-line react/button-has-type -- its own type demands one
    <button {...button} aria-disabled={isBusy} aria-busy={isBusy} onClick={press} />
  );
};
