import type { MembershipView } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { Link, Outlet, useParams } from 'react-router-dom';
import { MemberPage as Member } from '../../features/audit/member-page.tsx';
import { MemberSearch } from '../../features/audit/member-search.tsx';
import { useAdminStatusQuery } from '../../features/identity/identity.api.ts';
import { ComplimentaryCard } from '../../features/membership/complimentary-card.tsx';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { formatDay } from '../../ui/format.ts';
import { MessagePage } from '../../ui/message-page.tsx';

/** The route of all pages for support and admins. The server decides again at each request. */
export const ForSupport = (): JSX.Element => {
  const { data, isError, isFetching, refetch } = useAdminStatusQuery();
  if (data?.isSupport || data?.isAdmin) return <Outlet />;
  if (data) {
    return (
      <MessagePage
        title="This page is for support"
        text="Your account has no such role. An admin can give it to you."
      >
        <Link className="btn" to="/">
          Go to the dashboard
        </Link>
      </MessagePage>
    );
  }
  if (!isError) return <main id="main" aria-busy="true" />;
  return (
    <MessagePage title="The server is not answering" text="Nothing was changed. Try again in a moment.">
      <button className="btn" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
        Try again
      </button>
    </MessagePage>
  );
};

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
    <ComplimentaryCard
      accountId={accountId}
      granted={complimentary === null ? null : { tier: complimentary, until }}
    />
  );
};

/** `/admin/members/:accountId`. */
export const MemberPage = (): JSX.Element => {
  usePageTitle('Member · Tapedeck');
  const { accountId = '' } = useParams();
  return <Member key={accountId} accountId={accountId} renderActions={renderActions} />;
};
