import type { JSX } from 'react';
import { succeeded } from '../../api/succeeded.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useOpenPaymentPageMutation } from './payments.api.ts';

export type PaymentPageButtonProps = Readonly<{
  subscriptionId: string;
  label: string;
  /** Where several buttons have the same label. */
  name?: string;
  /** In a row or a notice. */
  isSmall?: boolean;
}>;

/** Stripe's page of the open invoice of a subscription, which takes any card. */
export const PaymentPageButton = (props: PaymentPageButtonProps): JSX.Element => {
  const { subscriptionId, label, name, isSmall = false } = props;
  const [openPage, { isLoading }] = useOpenPaymentPageMutation();
  const open = async (): Promise<void> => {
    const answer = await openPage({ subscriptionId });
    if (!succeeded(answer, 'The page could not be opened. Please try again.') || !answer.data) return;
    const { url } = answer.data;
    if (url !== null) return window.location.assign(url);
    showToast({ kind: 'ok', title: 'Nothing to pay', text: 'There is no unpaid invoice any more.' });
  };
  return (
    <ActionButton
      className={`btn ${isSmall ? 'btn--sm' : 'btn--primary'}`}
      type="button"
      aria-label={name}
      isBusy={isLoading}
      onClick={() => void open()}
    >
      <Icon name="card" />
      {isLoading ? 'Opening...' : label}
    </ActionButton>
  );
};
