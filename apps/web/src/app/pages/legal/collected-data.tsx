import type { JSX } from 'react';

type Row = Readonly<{ what: string; source: string; purpose: string }>;

const rows: readonly Row[] = [
  {
    what: 'Name, e-mail address, profile picture and a sign-in ID',
    source: 'your sign-in provider',
    purpose: 'your account, and e-mails about it',
  },
  {
    what: 'Discord e-mail address and TradingView username',
    source: 'you, when you complete your profile',
    purpose: 'roles in the community, and the link to your charting account',
  },
  {
    what: 'Favorites, tags and saved searches',
    source: 'you',
    purpose: 'to show them to you again',
  },
  {
    what: 'Plan, payments, refunds and disputes; brand, last four digits and expiry of the card',
    source: 'Stripe; we never see the card number',
    purpose: 'your membership, receipts and bookkeeping',
  },
  {
    what: 'The e-mail address of a purchase without an account',
    source: 'you',
    purpose: 'to link the purchase to your account, or to refund it',
  },
  {
    what: 'Your sessions: when they began and were last used, the kind of browser and system, and the country',
    source: 'your browser',
    purpose: 'to keep you signed in, and to let you end sessions that are not yours',
  },
  {
    what: 'Request logs: time, IP address, what was requested, the ID of your account',
    source: 'your browser',
    purpose: 'security, preventing abuse, and finding faults',
  },
  {
    what: 'E-mails that we have sent to you, without the codes in them',
    source: 'us',
    purpose: 'to show them to you in My Account',
  },
  {
    what: 'What you write to support, and support’s notes about it',
    source: 'you and our support',
    purpose: 'to answer you',
  },
];

/** What is stored about a person, where it comes from, and what for. */
export const CollectedData = (): JSX.Element => (
  <table className="legal-table">
    <thead>
      <tr>
        <th scope="col">Data</th>
        <th scope="col">Where it comes from</th>
        <th scope="col">What we use it for</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ what, source, purpose }) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td data-label="From">{source}</td>
          <td data-label="For">{purpose}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
