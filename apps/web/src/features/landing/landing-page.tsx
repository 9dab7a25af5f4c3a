import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { termsPath } from '../../api/site.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { TrySliders } from './try-sliders.tsx';

export type OneClickAccount = Readonly<{ label: string; email: string; href: string }>;
export type LandingPageProps = Readonly<{
  signIn: string;
  /** Accounts of the sandbox that need no password; otherwise empty. */
  oneClick: readonly OneClickAccount[];
  /** Sections of other features. */
  children?: ReactNode;
}>;

const steps = [
  {
    name: 'See the whole catalogue',
    text: 'Each histogram shows all strategies behind those that your filters leave.',
  },
  {
    name: 'Narrow it down',
    text: 'Drag a marker or type a figure; missing figures are never counted as zero.',
  },
  { name: 'Read the code', text: 'Every strategy comes with its Pine Script, its author and its date.' },
  { name: 'Save your favorites', text: 'A star adds a strategy to your favorites, on every device.' },
] as const;

const OneClick = ({ accounts }: Readonly<{ accounts: readonly OneClickAccount[] }>): JSX.Element => (
  <section className="one-click" aria-labelledby="one-click-title">
    <h2 id="one-click-title">This is a sandbox: sign in with one click</h2>
    <ul className="row">
      {accounts.map(({ label, email, href }) => (
        <li key={email}>
          <a className="btn" href={href} title={email}>
            Sign in as {label}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

const Footer = (): JSX.Element => (
  <footer className="footer">
    <div className="wrap footer-in">
      <span>© Tapedeck</span>
      <Link to={termsPath}>Terms of service</Link>
      <span className="push">Past results do not predict future results.</span>
    </div>
  </footer>
);

export const LandingPage = ({ signIn, oneClick, children }: LandingPageProps): JSX.Element => {
  usePageTitle('Tapedeck: every setting tried, every result on tape');
  return (
    <>
      <main id="main" className="landing">
        <section className="wrap hero">
          <div>
            <h1>Every setting tried. Every result on tape.</h1>
            <p className="lede">
              A catalogue of more than 4,500 analysed trading strategies. Filter it by profit, drawdown,
              profit factor and Sharpe ratio, read the code, and save your favorites.
            </p>
            <div className="row">
              <a className="btn btn--primary btn--lg" href={signIn}>
                Sign in to explore
              </a>
            </div>
            {oneClick.length > 0 && <OneClick accounts={oneClick} />}
          </div>
          <TrySliders />
        </section>
        <section className="steps-band" aria-label="How it works">
          <div className="tape" aria-hidden="true" />
          <ol className="wrap steps-list">
            {steps.map(({ name, text }) => (
              <li key={name}>
                <h2>{name}</h2>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </section>
        {children}
      </main>
      <Footer />
    </>
  );
};
