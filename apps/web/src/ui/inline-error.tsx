import type { JSX, ReactNode } from 'react';
import { ErrorDetails } from './error-details.tsx';
import { Icon } from './icon.tsx';

/** Why something has failed. */
export type Problem = Readonly<{
  /** A sentence for people. */
  text: string;
  /** What support needs to find the error; null when the sentence says it all. */
  details: string | null;
}>;

export type InlineErrorProps = Readonly<{
  problem: Problem | null | undefined;
  /** What can be done about it. */
  children?: ReactNode;
}>;

/** Beside the control that has caused it, which keeps the focus. */
export const InlineError = ({ problem, children }: InlineErrorProps): JSX.Element | null =>
  problem ? (
    <div className="notice notice--danger">
      <Icon name="warn" />
      <div>
        <p role="alert">{problem.text}</p>
        {children}
        {problem.details !== null && <ErrorDetails details={problem.details} />}
      </div>
    </div>
  ) : null;
