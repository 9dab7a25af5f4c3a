import type { JSX } from 'react';
import { StillWorking } from './pending.tsx';

type Answer = Readonly<{ data?: unknown; error?: unknown }>;

/** Whether there is something to show for it, be it that it failed. */
export const isAnswered = ({ data, error }: Answer): boolean => data !== undefined || error !== undefined;

/** In the place of a page until the answers are there on which the sizes of its parts depend, so that nothing moves afterwards. */
export const LoadingPage = ({ title }: Readonly<{ title?: string }>): JSX.Element => (
  <main className="wrap member-page" id="main" aria-busy="true">
    {title !== undefined && <h1>{title}</h1>}
    <p className="visually-hidden" role="status">
      Loading...
    </p>
    <StillWorking />
    <div className="member-grid page-loading" aria-hidden="true">
      {['a', 'b', 'c', 'd'].map((card) => (
        <div key={card} className="card card-pad stack">
          <span className="skeleton dash-line" />
          <span className="skeleton card-skeleton" />
          <span className="skeleton dash-line" />
        </div>
      ))}
    </div>
  </main>
);
