import type { JSX } from 'react';
import { privacyPath, site } from '../../../api/site.ts';
import { LegalDocument, type LegalSection } from './legal-document.tsx';

const billingMail = <a href={`mailto:${site.billingEmail}`}>{site.billingEmail}</a>;
const supportMail = <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>;

const sections: readonly LegalSection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <p>
        These terms are an agreement between you and Tapedeck (“we”). They apply to this website, to the
        Strategy Explorer, and to the browser extension that optimizes parameters of strategies. You accept
        them when you create an account, install the extension or buy a membership. If you do not accept them,
        do not use the service.
      </p>
    ),
  },
  {
    id: 'eligibility',
    title: 'Eligibility',
    body: (
      <p>
        You must be at least 18 years old and able to enter into a contract. If you use the service on behalf
        of a company, you confirm that you may bind it to these terms.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <p>
          You sign in through a sign-in provider. Keep that sign-in to yourself: what is done in your account
          counts as done by you, until you tell us that it was not. An account is for one person and cannot be
          sold or shared.
        </p>
        <p>
          In My Account you can see and end your sessions, change your profile and delete the account.
          Deleting it ends a running subscription at once, and nothing more is charged.
        </p>
      </>
    ),
  },
  {
    id: 'membership',
    title: 'Membership and recurring billing',
    body: (
      <>
        <p>
          Free costs nothing. Pro and Elite are paid in advance, by month or by year, and start as soon as the
          payment has succeeded. <strong>A paid membership renews automatically</strong> at the end of each
          month or year, and the payment method on file is charged, until you cancel.
        </p>
        <p>
          Fees are in US dollars. The price, the period and the date of the next charge are shown before you
          pay and afterwards in My Account. An introductory price is for the first month only, once per
          person; after that the regular price is charged. We announce a higher price by e-mail before it
          applies to you; if you do not want it, cancel before the next renewal.
        </p>
        <p>
          If you move to a higher plan, you get it at once and pay the difference for the rest of the period,
          which is shown before you confirm. If you move to a lower plan, it starts with the next period.
        </p>
        <p>
          Payments are processed by Stripe. If a renewal fails, we say so by e-mail and try again; your access
          continues for up to 14 days, and then the membership ends.
        </p>
      </>
    ),
  },
  {
    id: 'cancellation',
    title: 'Cancellation',
    body: (
      <p>
        You can cancel at any time in My Account. The cancellation takes effect at the end of the billing
        period that you have paid for: you keep access until then, nothing more is charged, and you can undo
        the cancellation until that day. Removing the extension does not cancel a membership.
      </p>
    ),
  },
  {
    id: 'refunds',
    title: 'Refunds',
    body: (
      <>
        <p>
          Fees are non-refundable, even for a period that you have used only in part. Two things are not
          affected: rights to withdraw or to a refund that the law gives you as a consumer and that a contract
          cannot exclude, and purchases made with an e-mail address that are never linked to an account, which
          we refund automatically after 30 days.
        </p>
        <p>
          As long as you can withdraw from the contract, My Account has a button for it. The membership ends
          at once, all of the payment goes back, and we acknowledge the withdrawal by e-mail, with date and
          time.
        </p>
        <p>
          If you do not recognize a charge, write to {billingMail} first: that is faster than a dispute with
          your bank. While a dispute is open your access continues, but nothing new can be bought.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'Acceptable use',
    body: (
      <>
        <p>You may use the service for your own research and trading. You must not:</p>
        <ul>
          <li>resell it, share an account, or publish the catalogue or large parts of it;</li>
          <li>collect its data with programs, other than through the export that your plan offers;</li>
          <li>
            try to get around limits, plans or security, or burden the service so that others are affected,
            except on an installation of your own;
          </li>
          <li>use it to break the law, or the terms of the charting platform or of your broker.</li>
        </ul>
        <p>We may limit, suspend or end the access of an account that does so.</p>
      </>
    ),
  },
  {
    id: 'content',
    title: 'Strategies and their authors',
    body: (
      <p>
        Strategies in the catalogue were published by their authors on a charting platform, and remain theirs.
        Their code is shown with its licence, which you must respect. The website, the extension and the
        analysis of the strategies belong to us. Tags, searches and other things that you enter remain yours;
        you allow us to store and process them to run the service. If your work is in the catalogue and should
        not be, write to {supportMail}.
      </p>
    ),
  },
  {
    id: 'trading',
    title: 'Trading disclaimer',
    body: (
      <>
        <p>
          <strong>Nothing here is financial, investment or tax advice</strong>, or an offer to buy or sell
          anything. Trading can lose all the money you put in, and with leverage more.
        </p>
        <p>
          Figures in the catalogue and results of an optimization are backtests: calculations with past
          prices. They leave out much of what happens in a market, such as liquidity, delays and costs that
          differ from those assumed, and parameters that fit the past often fail later. Past results do not
          predict future ones. You alone decide what you trade.
        </p>
      </>
    ),
  },
  {
    id: 'availability',
    title: 'Availability and changes to the service',
    body: (
      <p>
        The service is provided as it is. Parts that are marked Beta or New may change or have faults, and
        parts that are marked as coming soon are not promised for a date. We may change or end a feature; if
        that takes away an essential part of what you have paid for, you can end the membership and get back
        the share of the fee for the time that is left.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <>
        <p>
          As far as the law permits, we are not liable for trading losses, lost profit, lost data or indirect
          damage, and our total liability is limited to{' '}
          <strong>
            the fees that you paid in the last 12 months or 100 US dollars, whichever is greater
          </strong>
          .
        </p>
        <p>
          Nothing in these terms limits liability that cannot be limited by law, such as for intent, gross
          negligence or injury.
        </p>
      </>
    ),
  },
  {
    id: 'termination',
    title: 'End of the agreement',
    body: (
      <p>
        You can end the agreement by deleting your account. We can end it with 30 days’ notice, and refund the
        share of the fee for the time that is left; or at once if you seriously break these terms. The
        sections on strategies, trading, liability and governing law continue to apply.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Governing law',
    body: (
      <p>
        These terms are governed by the law of the State of California, USA, without its rules on conflict of
        laws. If you are a consumer, the mandatory protection of the law of the country you live in remains.
        If a part of these terms is not valid, the rest remains valid.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        When we change these terms, we change the date above. We announce a change that puts you in a worse
        position by e-mail, at least 30 days before it applies. If you do not agree, end the membership before
        that day.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about billing: {billingMail}. Anything else: {supportMail}. How we use personal data is in
        the <a href={privacyPath}>Privacy Policy</a>.
      </p>
    ),
  },
];

/** `/pages/terms-of-service` */
export const TermsPage = (): JSX.Element => (
  <LegalDocument
    title="Terms of Service"
    lastUpdated="October 15, 2024"
    summary={
      <p>
        In short: you must be 18, a paid membership renews until you cancel, fees are not refunded, a
        cancellation takes effect at the end of the paid period, and backtests are no promise of profit. The
        full text applies.
      </p>
    }
    sections={sections}
  />
);
