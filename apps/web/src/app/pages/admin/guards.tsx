import type { JSX } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useAdminStatusQuery } from '../../../features/identity/identity.api.ts';
import { MessagePage } from '../../../ui/message-page.tsx';

type Guard = Readonly<{ title: string; needs: 'isAdmin' | 'isSupport' }>;

const Guarded = ({ title, needs }: Guard): JSX.Element => {
  const { data, isError, isFetching, refetch } = useAdminStatusQuery();
  if (data?.isAdmin || data?.[needs]) return <Outlet />;
  if (data) {
    return (
      <MessagePage title={title} text="Your account has no such role. An admin can give it to you.">
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

/** The route of all pages for support and admins. The server decides again at each request. */
export const ForSupport = (): JSX.Element => <Guarded title="This page is for support" needs="isSupport" />;

/** The route of the pages for admins alone. */
export const ForAdmins = (): JSX.Element => <Guarded title="This page is for admins" needs="isAdmin" />;
