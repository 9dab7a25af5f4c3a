import type { JSX } from 'react';

/** Has the size of the sliders, so that nothing moves when they are there. */
export const TrySkeleton = (): JSX.Element => (
  <>
    <div className="card-head">
      <h3>Try it: drag a marker</h3>
    </div>
    <div className="try-body" aria-busy="true">
      <span className="skeleton try-plot" />
      <span className="skeleton try-plot" />
    </div>
    <noscript>
      <p className="try-note">The sliders need JavaScript.</p>
    </noscript>
  </>
);
