import type { ActionOutcome, ActionPreview, ConfirmActionBody } from '@tapedeck/payments/contract';
import { useState } from 'react';
import { failureOf } from '../../../api/problem-text.ts';
import type { Problem } from '../../../ui/inline-error.tsx';

type Answer = Readonly<{ data?: ActionOutcome | undefined; error?: object | undefined }>;

/** The server has refused it by name: nothing was done, and what was shown is outdated. */
const isRefusal = (error: object | undefined): boolean =>
  error !== undefined && 'status' in error && typeof error.status === 'number' && error.status < 500;

export type Confirmation = Readonly<{
  /** What can be confirmed. */
  preview: ActionPreview | undefined;
  /** Why it was not done, or perhaps not. */
  problem: Problem | null;
  /** Undefined when it has failed. */
  onConfirm: (preview: ActionPreview, reason: string) => Promise<ActionOutcome | undefined>;
}>;

/** Confirms what is shown. After a refusal it has to be computed again; what was perhaps done can be sent again. */
export const useConfirmation = (
  shown: ActionPreview | undefined,
  send: (body: ConfirmActionBody) => Promise<Answer>,
): Confirmation => {
  const [failed, setFailed] = useState<Readonly<{ previewId: string; error: object | undefined }> | null>(
    null,
  );
  const error = failed !== null && failed.previewId === shown?.previewId ? failed.error : undefined;
  return {
    preview: isRefusal(error) ? undefined : shown,
    problem: failureOf(error, 'It is not known whether it was done: press the button again, which is safe.'),
    onConfirm: async ({ previewId }, reason) => {
      setFailed(null);
      const answer = await send({ previewId, reason });
      setFailed({ previewId, error: answer.error });
      return answer.data;
    },
  };
};

export const previewProblem = (error: object | undefined): Problem | null =>
  failureOf(error, 'What it does could not be computed. Nothing was changed.');
