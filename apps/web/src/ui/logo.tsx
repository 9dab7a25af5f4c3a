import type { JSX } from 'react';

/** A histogram with a playhead, and the name. */
export const Logo = (): JSX.Element => (
  <>
    <svg viewBox="0 0 24 24" width="24" aria-hidden="true">
      <g className="logo-mark" fill="none" stroke="currentColor" strokeWidth="2.2">
        <path d="M0 17.9h24M2.6 17.9v-4M7.2 17.9v-8.6M16.8 17.9v-6.4M21.4 17.9v-3" />
        <path className="playhead" d="M12 2v20" strokeWidth="2.8" />
      </g>
    </svg>
    <svg viewBox="0 0 103.5 24" width="103" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2.2">
        <path d="M4.4 3v11.4q0 2.6 2.6 2.6h1.6M.4 7.2h8.2" />
        <circle cx="16" cy="12" r="5" />
        <path d="M21 6v12" />
        <circle cx="30.2" cy="12" r="5" />
        <path d="M25.2 6v16.5" />
        <path d="M39.4 12h10a5 5 0 1 0-1.6 3.7" />
        <circle cx="57.8" cy="12" r="5" />
        <path d="M62.8 1v17" />
        <path d="M67 12h10a5 5 0 1 0-1.6 3.7" />
        <path d="M89.4 8.5a5 5 0 1 0 0 7" />
        <path d="M94 1v17M102 6.2l-6.9 6.4M96.4 11l5.9 7" />
      </g>
    </svg>
  </>
);
