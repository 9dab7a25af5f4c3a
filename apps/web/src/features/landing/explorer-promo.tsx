import { explorerRoutes } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { TrySkeleton } from './teaser/try-skeleton.tsx';

export type ExplorerPromoProps = Readonly<{ signInHref: string }>;

export const ExplorerPromo = ({ signInHref }: ExplorerPromoProps): JSX.Element => (
  <section className="band" id="explorer" aria-labelledby="explorer-title">
    <div className="wrap promo">
      <div>
        <span className="badge badge--accent">LIMITED TIME</span>
        <h2 id="explorer-title">Start from what has already been tested</h2>
        <p className="lede">
          Filter the whole catalogue by profit, drawdown, profit factor and Sharpe ratio, read the code, and
          keep what stands up. The bars show where everyone else is.
        </p>
        <p className="chips">
          <span className="badge">4,500+ strategies</span>
          <span className="badge">Real Data</span>
        </p>
        <a className="btn btn--primary btn--lg" href={signInHref}>
          Explore Strategies
        </a>
      </div>
      <div className="card try" data-teaser={explorerRoutes.teaser}>
        <TrySkeleton />
      </div>
    </div>
  </section>
);
