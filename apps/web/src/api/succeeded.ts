import { showToast } from '../ui/toasts.tsx';
import { problemText } from './problem-text.ts';

export type Outcome = Readonly<{ error?: unknown }>;

/** Whether a mutation has succeeded; shows a toast that says why when it has not. */
export const succeeded = ({ error }: Outcome, fallback: string, title = 'Error'): boolean => {
  if (!error) return true;
  showToast({ kind: 'danger', title, text: problemText(error, fallback) });
  return false;
};
