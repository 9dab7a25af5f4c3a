import type { JSX } from 'react';
import { site } from '../../api/site.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';

const terms = [
  ['Eligibility', 'You must be at least 18 years old.'],
  [
    'Membership and billing',
    'A paid membership renews by month or by year, at the price shown when you bought it, until you cancel. Fees are in US dollars and are not refundable.',
  ],
  [
    'Cancellation',
    'You can cancel at any time in My Account. Access stays until the end of the paid period, and nothing more is charged.',
  ],
  [
    'Trading disclaimer',
    'Backtests describe the past. Nothing here is financial advice, and trading can lose money.',
  ],
  [
    'Liability',
    'Our liability is limited to the fees of the last 12 months or 100 US dollars, whichever is greater.',
  ],
  ['Governing law', 'These terms are governed by the law of California.'],
] as const;

/** `/pages/terms-of-service` */
export const TermsPage = (): JSX.Element => {
  usePageTitle('Terms of Service · Tapedeck');
  return (
    <main className="wrap member-page narrow-page" id="main">
      <h1>Terms of Service</h1>
      <p className="meta">Last updated October 15, 2024</p>
      {terms.map(([name, text]) => (
        <section key={name}>
          <h2>{name}</h2>
          <p className="prose">{text}</p>
        </section>
      ))}
      <p className="prose">
        Questions about billing: <a href={`mailto:${site.billingEmail}`}>{site.billingEmail}</a>
      </p>
    </main>
  );
};
