import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { site } from '../../../api/site.ts';
import { describeSearch } from '../../../features/explorer/filter-state/filter-text.ts';
import { SavedSearchMatches } from '../../../features/saved-searches/saved-search-matches.tsx';
import { Icon } from '../../../ui/icon.tsx';

const Steps = ({ texts }: Readonly<{ texts: readonly string[] }>): JSX.Element => (
  <ol className="steps">
    {texts.map((text) => (
      <li key={text}>
        <span>{text}</span>
      </li>
    ))}
  </ol>
);

export const ExplorerCard = ({ isPrimary }: Readonly<{ isPrimary: boolean }>): JSX.Element => (
  <section className="card" aria-labelledby="explorer-card-title">
    <div className="card-head">
      <h2 id="explorer-card-title">Strategy Explorer</h2>
      <span className="badge badge--accent">New</span>
    </div>
    <div className="card-pad stack">
      <Steps
        texts={[
          'Set the figures you can live with: drawdown first.',
          'Watch the bars answer while you drag.',
          'Star what holds up, compare up to four.',
        ]}
      />
      <SavedSearchMatches describe={describeSearch} />
      <Link className={`btn ${isPrimary ? 'btn--primary' : ''}`} to="/?section=strategy-explorer">
        Explore Strategies
      </Link>
    </div>
  </section>
);

export const OptimizerCard = (): JSX.Element => (
  <section className="card dash-half" aria-labelledby="optimizer-card-title">
    <div className="card-head">
      <h2 id="optimizer-card-title">Strategy Optimizer</h2>
      <span className="badge badge--ok">Available</span>
    </div>
    <div className="card-pad stack">
      <Steps texts={['Install the extension.', 'Open a strategy on a chart.', 'Start the optimization.']} />
      <div className="row">
        <Link className="btn" to="/?section=strategy-optimizer">
          Get Extension
        </Link>
        <a className="btn btn--quiet" href={site.guideUrl} target="_blank" rel="noreferrer">
          View Guide
          <Icon name="external" small />
        </a>
      </div>
    </div>
  </section>
);

const benefits = [
  'Settings that others have tried, with the runs',
  'Answers from the people who wrote the extension',
  'A channel for each market',
] as const;

export const CommunityCard = (): JSX.Element => (
  <section className="card dash-half" aria-labelledby="community-card-title">
    <div className="card-head">
      <h2 id="community-card-title">Community</h2>
    </div>
    <div className="card-pad stack">
      <ul className="feats">
        {benefits.map((benefit) => (
          <li key={benefit}>
            <Icon name="check" small />
            {benefit}
          </li>
        ))}
      </ul>
      <a className="btn" href={site.chatServerUrl} target="_blank" rel="noreferrer">
        Join the chat server
        <Icon name="external" small />
      </a>
    </div>
  </section>
);
