import { useState, type JSX } from 'react';
import { Icon } from './icon.tsx';

export type ErrorDetailsProps = Readonly<{ details: string }>;

type CopyState = 'ready' | 'copied' | 'refused';

const copyLabels: Readonly<Record<CopyState, string>> = {
  ready: 'Copy',
  copied: 'Copied',
  refused: 'Not copied: select the text',
};

/** Without a toast: the error may be in one. */
const CopyDetails = ({ details }: ErrorDetailsProps): JSX.Element => {
  const [state, setState] = useState<CopyState>('ready');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(details);
      setState('copied');
    } catch {
      setState('refused');
    }
  };
  return (
    <>
      <button className="btn btn--sm" type="button" onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {copyLabels[state]}
      </button>
      <span className="visually-hidden" role="status">
        {state === 'copied' && 'The details are on your clipboard'}
      </span>
    </>
  );
};

/** What an error says to support, such as the id of the request, on request. */
export const ErrorDetails = ({ details }: ErrorDetailsProps): JSX.Element => (
  <details className="error-details">
    <summary>Details</summary>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
    <pre className="mono" tabIndex={0} aria-label="Details of the error">
      {details}
    </pre>
    <CopyDetails details={details} />
  </details>
);
