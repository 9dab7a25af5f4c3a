import type { JSX } from 'react';
import { site } from '../../../api/site.ts';
import { Icon } from '../../../ui/icon.tsx';

const Features = ({ names }: Readonly<{ names: readonly string[] }>): JSX.Element => (
  <ul className="feats">
    {names.map((name) => (
      <li key={name}>
        <Icon name="check" small />
        {name}
      </li>
    ))}
  </ul>
);

const recent = [
  { name: 'RSI with moving average', text: '420 combinations on BTCUSDT, 4h', state: 'Completed' },
  { name: 'Supertrend breakout', text: '1,250 combinations on AAPL, 1D', state: 'Running' },
] as const;

/** The section `strategy-optimizer`. */
export const OptimizerSection = (): JSX.Element => (
  <main className="wrap member-page" id="main">
    <h1>Strategy Optimizer</h1>
    <div className="member-grid">
      <section className="card" aria-labelledby="optimizer-title">
        <div className="card-head">
          <h2 id="optimizer-title">The browser extension</h2>
          <span className="badge badge--ok">Available</span>
        </div>
        <div className="card-pad stack">
          <Features
            names={[
              'Parameter optimization algorithms',
              'Monte Carlo simulation',
              'Advanced backtesting metrics',
              'Risk management analysis',
            ]}
          />
          <div className="row">
            <a className="btn btn--primary" href={site.extensionStoreUrl} target="_blank" rel="noreferrer">
              Get Extension
              <Icon name="external" small />
            </a>
            <a className="btn" href={site.guideUrl} target="_blank" rel="noreferrer">
              View Guide
              <Icon name="external" small />
            </a>
          </div>
        </div>
      </section>
      <section className="card" aria-labelledby="recent-title">
        <div className="card-head">
          <h2 id="recent-title">Recent Optimizations</h2>
          <span className="badge badge--plain">Examples</span>
        </div>
        <ul className="card-pad lines">
          {recent.map(({ name, text, state }) => (
            <li key={name}>
              <span>
                <b>{name}</b>
                <br />
                <span className="meta">{text}</span>
              </span>
              <span className={`badge push ${state === 'Completed' ? 'badge--ok' : 'badge--accent'}`}>
                {state}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  </main>
);

/** The section `trading-bots`. */
export const TradingBotsSection = (): JSX.Element => (
  <main className="wrap member-page" id="main">
    <div className="row">
      <h1>Trading Bots</h1>
      <span className="badge badge--plain">Coming Soon</span>
    </div>
    <div className="member-grid">
      <section className="card" aria-labelledby="bots-title">
        <div className="card-head">
          <h2 id="bots-title">What they will do</h2>
        </div>
        <div className="card-pad stack">
          <Features
            names={[
              '24/7 automated execution',
              'Multi-exchange support',
              'Advanced risk management',
              'Real-time monitoring',
            ]}
          />
          <button className="btn" type="button" disabled>
            Notify Me When Available
          </button>
        </div>
      </section>
      <section className="card" aria-labelledby="exchanges-title">
        <div className="card-head">
          <h2 id="exchanges-title">Supported exchanges</h2>
        </div>
        <div className="card-pad stack">
          <Features names={['Binance', 'Bybit', 'Coinbase', 'Kraken', 'OKX']} />
        </div>
      </section>
    </div>
  </main>
);
