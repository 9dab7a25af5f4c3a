import type { ActionOutcome, ActionPreview, WantedAction } from '@tapedeck/payments/contract';
import { useCallback, useEffect, type JSX, type ReactNode } from 'react';
import { failureOf } from '../../../api/problem-text.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { useConfirmActionMutation, usePreviewActionMutation } from './money.api.ts';
import { confirmText } from './money-words.ts';

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

/** The server has refused it by name: nothing was done, and what was shown is outdated. */
export const isRefusal = (error: object | undefined): boolean =>
  error !== undefined && 'status' in error && typeof error.status === 'number' && error.status < 500;

/** Why an action was not done, or perhaps not. */
export const confirmProblem = (error: object | undefined): Problem | null =>
  failureOf(error, 'It is not known whether it was done: press the button again, which is safe.');

export const previewProblem = (error: object | undefined): Problem | null =>
  failureOf(error, 'What it does could not be computed. Nothing was changed.');

/** An action about a purchase of a member. */
export const ActionForm = (props: ActionFormProps): JSX.Element => {
  const { accountId, subscriptionId, wanted, label, ...form } = props;
  const [request, previewing] = usePreviewActionMutation();
  const [confirm, confirming] = useConfirmActionMutation();
  const { reset } = confirming;
  const compute = useCallback((): void => {
    reset();
    if (wanted === null || subscriptionId === null) return;
    void request({ accountId, body: { subscriptionId, action: wanted } });
  }, [accountId, subscriptionId, wanted, request, reset]);
  useEffect(compute, [compute]);
  const { data } = previewing;
  // An older answer may arrive late: only the one for what is chosen counts.
  const isCurrent = data !== undefined && !previewing.isLoading && isFor(data, wanted, subscriptionId);
  const preview = isCurrent && !isRefusal(confirming.error) ? data : undefined;
  const send = async ({ previewId }: ActionPreview, reason: string): Promise<ActionOutcome | undefined> =>
    (await confirm({ accountId, body: { previewId, reason } })).data;
  const problem =
    confirmProblem(confirming.error) ?? (wanted === null ? null : previewProblem(previewing.error));
  return (
    <ConfirmForm
      {...form}
      shown={{ preview, isComputing: wanted !== null && previewing.isLoading, problem, onRetry: compute }}
      isConfirming={confirming.isLoading}
      action={preview ? confirmText(preview) : label}
      onConfirm={send}
    />
  );
};
