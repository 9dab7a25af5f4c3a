import type { MembershipView } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { Link, useParams } from 'react-router-dom';
import { MemberPage as Member } from '../../../features/audit/member-page.tsx';
import { MemberPicker } from '../../../features/audit/member-picker.tsx';
import { MemberSearch } from '../../../features/audit/member-search.tsx';
import { PurchasePicker } from '../../../features/audit/purchase-picker.tsx';
import { ComplimentaryCard } from '../../../features/membership/complimentary-card.tsx';
import { MoneySection, type MoneySectionProps } from '../../../features/payments/money/money-section.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';
import { formatDay } from '../../../ui/format.ts';

/** `/admin/members`. */
export const MembersPage = (): JSX.Element => {
  usePageTitle('Members · Tapedeck');
  return <MemberSearch />;
};

const renderActions = (
  accountId: string,
  { complimentary, complimentaryUntil }: MembershipView,
): JSX.Element => {
  const until = complimentaryUntil === null ? 'without an end' : `until ${formatDay(complimentaryUntil)}`;
  return (
    <>
      <ComplimentaryCard
        accountId={accountId}
        granted={complimentary === null ? null : { tier: complimentary, until }}
      />
      <section className="card" aria-labelledby="payments-title">
        <div className="card-head">
          <h2 id="payments-title">Payments</h2>
        </div>
        <div className="card-pad stack">
          <p className="meta">
            Compare with Stripe and bring in what is missing. You see the difference first.
          </p>
          <Link className="btn" to={`/admin/replays?member=${accountId}`}>
            Replay payments
          </Link>
        </div>
      </section>
    </>
  );
};

const renderPicker: MoneySectionProps['renderPicker'] = (picker) => <MemberPicker {...picker} />;
const renderPurchases: MoneySectionProps['renderPurchases'] = (picker) => <PurchasePicker {...picker} />;
const renderMoney = (accountId: string): JSX.Element => (
  <MoneySection accountId={accountId} renderPicker={renderPicker} renderPurchases={renderPurchases} />
);

/** `/admin/members/:accountId`. */
export const MemberPage = (): JSX.Element => {
  usePageTitle('Member · Tapedeck');
  const { accountId = '' } = useParams();
  return (
    <Member key={accountId} accountId={accountId} renderActions={renderActions} renderMoney={renderMoney} />
  );
};
