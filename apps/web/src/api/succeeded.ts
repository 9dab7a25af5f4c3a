import { hideToast, showToast } from '../ui/toasts.tsx';
import { problemOf } from './problem-text.ts';

export type Outcome = Readonly<{ error?: unknown }>;

export type ErrorTexts = Readonly<{
  title?: string;
  /** What did not happen. It also says which action it was: the toast is removed when that succeeds. */
  fallback: string;
}>;

/** A toast that says why a request has failed. */
export const showError = (error: unknown, { title = 'Error', fallback }: ErrorTexts): void =>
  showToast({ kind: 'danger', title, ...problemOf(error, fallback), cause: fallback });

/** Whether a mutation has succeeded; shows a toast that says why when it has not. For what is not in a dialog. */
export const succeeded = ({ error }: Outcome, fallback: string, title?: string): boolean => {
  if (error) showError(error, { fallback, ...(title === undefined ? {} : { title }) });
  else hideToast(fallback);
  return !error;
};
