import type { JSX } from 'react';
import { site, termsPath } from '../../../api/site.ts';
import { CollectedData } from './collected-data.tsx';
import { LegalDocument, type LegalSection } from './legal-document.tsx';

const supportMail = <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>;

const sections: readonly LegalSection[] = [
  {
    id: 'scope',
    title: 'What this policy is about',
    body: (
      <p>
        This policy covers the Tapedeck website, its accounts and memberships, and the Tapedeck browser
        extension. “Personal data” is any information that can be linked to you. The charting platform, the
        sign-in provider, Stripe and the community chat have policies of their own.
      </p>
    ),
  },
  { id: 'data', title: 'Data we collect', body: <CollectedData /> },
  {
    id: 'extension',
    title: 'The browser extension',
    body: (
      <>
        <p>
          The extension works on pages of the charting platform, and only while you use it there. It reads the
          inputs and the report of the strategy that you optimize, changes the inputs as you asked, and reads
          the report again. Optimizations run in your browser: their settings and results stay in your
          browser’s storage and are not sent to our servers.
        </p>
        <p>
          The extension does not read other websites, your history, your passwords or your orders, and
          contains no advertising and no analytics. Removing it deletes what it has stored.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and browser storage',
    body: (
      <>
        <p>
          We set cookies that the service cannot work without: one for your session, which lasts 30 days at
          most; one while you are signing in, for 15 minutes; and one that links a purchase without an account
          to the browser that made it, for 60 days. There are no cookies for advertising or analytics, and no
          third-party scripts.
        </p>
        <p>
          Your browser’s storage keeps what makes the pages convenient: the theme, the filters of the
          explorer, the strategies you compare, and a purchase that is not linked yet. It never leaves your
          device by itself.
        </p>
      </>
    ),
  },
  {
    id: 'reasons',
    title: 'Why we may use it',
    body: (
      <ul>
        <li>
          <strong>To fulfil our agreement with you</strong>: accounts, memberships, payments, favorites,
          searches and e-mails about them.
        </li>
        <li>
          <strong>Because the law requires it</strong>: records of payments and refunds.
        </li>
        <li>
          <strong>For our legitimate interest</strong> in a service that is secure and works: logs, limits
          against abuse, and records of what support has looked at.
        </li>
      </ul>
    ),
  },
  {
    id: 'recipients',
    title: 'Who receives it',
    body: (
      <>
        <p>
          We do not sell personal data, and do not share it for advertising. These receive what they need: the
          sign-in provider that you chose, Stripe for payments, the provider that delivers our e-mails, and
          those who host our servers. Chart images are loaded from the chart host, which sees your IP address,
          as any website does. Authorities receive data only where the law requires it.
        </p>
        <p>
          Some of them work in other countries, including the United States. Where the law asks for it, the
          transfer is covered by standard contractual clauses.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Connections are encrypted. What identifies you, such as names, addresses, tags and searches, is stored
        encrypted with a key that belongs to your account alone. Each process may read only what it needs.
        When support opens the history of a member, that is recorded in that history.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    body: (
      <>
        <p>
          We keep the data of your account for as long as the account exists.{' '}
          <strong>When you delete the account</strong>, the key that encrypts your data is deleted at once:
          nothing on our servers can read it again. Sessions end, a running subscription is ended, and Stripe
          is asked to forget your name and address. Amounts and dates of payments stay, without your name,
          because bookkeeping requires it.
        </p>
        <p>
          Logs are overwritten as they grow. Backups expire; until then they keep their contents, encrypted.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>Wherever you live, you can:</p>
        <ul>
          <li>
            <strong>see your data</strong>: most of it is in My Account, and we send you the rest on request,
            in a form that programs can read;
          </li>
          <li>
            <strong>correct it</strong>: Update Profile in My Account; name and e-mail address follow your
            sign-in provider;
          </li>
          <li>
            <strong>delete it</strong>: Delete Account in My Account, without asking us;
          </li>
          <li>
            <strong>object to or restrict</strong> a use that rests on our legitimate interest, and withdraw
            consent that you have given;
          </li>
          <li>
            <strong>complain</strong> to the data protection authority where you live.
          </li>
        </ul>
        <p>
          Residents of California have the right to know, to correct and to delete, and are not treated
          differently for using these rights. We neither sell nor share personal information as California law
          defines these words.
        </p>
        <p>
          Write to {supportMail} from the address of your account. We answer within 30 days, and charge
          nothing.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: <p>The service is for adults. We do not knowingly collect data about anyone under 18.</p>,
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When we change this policy, we change the date above. If a change allows us more, we announce it by
        e-mail before it applies.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Responsible for the data is Tapedeck, {site.city}: {supportMail}. What else applies between us is in
        the <a href={termsPath}>Terms of Service</a>.
      </p>
    ),
  },
];

/** `/pages/extension-privacy-policy` */
export const PrivacyPage = (): JSX.Element => (
  <LegalDocument
    title="Privacy Policy"
    lastUpdated="October 22, 2025"
    summary={
      <p>
        In short: we store what an account, a membership and your favorites need, encrypted with a key of your
        own. There is no advertising and no tracking, optimizations stay in your browser, and deleting your
        account deletes the key.
      </p>
    }
    sections={sections}
  />
);
