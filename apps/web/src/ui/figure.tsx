import type { JSX } from 'react';

/** The text font has no infinity sign: it is drawn, and the hidden text is for screen readers and for copying. */
const Infinite = (): JSX.Element => (
  <>
    <svg className="infinite" viewBox="0 0 14 8" aria-hidden="true">
      <path d="M7 4C5.6 1.9 4.6 1 3.4 1a3 3 0 0 0 0 6C4.6 7 5.6 6.1 7 4zm0 0c1.4-2.1 2.4-3 3.6-3a3 3 0 0 1 0 6C9.4 7 8.4 6.1 7 4z" />
    </svg>
    <span className="visually-hidden">∞</span>
  </>
);

export const Figure = ({
  text,
  className = '',
}: Readonly<{ text: string; className?: string }>): JSX.Element => {
  const [before, after] = text.split('∞');
  return (
    <span className={className}>
      {before}
      {after !== undefined && <Infinite />}
      {after}
    </span>
  );
};
