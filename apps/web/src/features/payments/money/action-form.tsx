import type { ActionPreview, WantedAction } from '@tapedeck/payments/contract';
import { useCallback, useEffect, type JSX, type ReactNode } from 'react';
import { ConfirmForm } from './confirm-form.tsx';
import { useConfirmActionMutation, usePreviewActionMutation } from './money.api.ts';
import { confirmText } from './money-words.ts';
import { previewProblem, useConfirmation } from './use-confirmation.ts';

export type ActionFormProps = Readonly<{
  titleId: string;
  title: string;
  accountId: string;
  /** Null while nothing is chosen. */
  subscriptionId: string | null;
  /** The same object while the choice is the same; null while nothing is chosen. */
  wanted: WantedAction | null;
  /** Of the button, while nothing is chosen. */
  label: string;
  isDangerous?: boolean;
  children?: ReactNode;
  onClose: () => void;
}>;

const isFor = (
  { subscriptionId, action }: ActionPreview,
  wanted: WantedAction | null,
  wantedOf: string | null,
): boolean => subscriptionId === wantedOf && JSON.stringify(action) === JSON.stringify(wanted);

/** An action about a purchase of a member. */
export const ActionForm = (props: ActionFormProps): JSX.Element => {
  const { accountId, subscriptionId, wanted, label, ...form } = props;
  const [request, { data, error, isLoading }] = usePreviewActionMutation();
  const [confirm, { isLoading: isConfirming }] = useConfirmActionMutation();
  const compute = useCallback((): void => {
    if (wanted === null || subscriptionId === null) return;
    void request({ accountId, body: { subscriptionId, action: wanted } });
  }, [accountId, subscriptionId, wanted, request]);
  useEffect(compute, [compute]);
  // An older answer may arrive late: only the one for what is chosen counts.
  const isCurrent = data !== undefined && !isLoading && isFor(data, wanted, subscriptionId);
  const { preview, problem, onConfirm } = useConfirmation(isCurrent ? data : undefined, (body) =>
    confirm({ accountId, body }),
  );
  return (
    <ConfirmForm
      {...form}
      shown={{
        preview,
        isComputing: wanted !== null && isLoading,
        problem: problem ?? (wanted === null ? null : previewProblem(error)),
        onRetry: compute,
      }}
      isConfirming={isConfirming}
      action={preview ? confirmText(preview) : label}
      onConfirm={onConfirm}
    />
  );
};
