import type { JSX } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useAdminStatusQuery } from '../../../features/identity/identity.api.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { MessagePage } from '../../../ui/message-page.tsx';
import { PendingPage } from '../../../ui/pending.tsx';

type Guard = Readonly<{ title: string; needs: 'isAdmin' | 'isSupport' }>;

const Guarded = ({ title, needs }: Guard): JSX.Element => {
  const query = useAdminStatusQuery();
  const { data, isError, isFetching, refetch } = query;
  const onRetry = (): void => void refetch();
  const retryAt = useRepeat(query, { onRepeat: onRetry });
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
  const text = 'Your role could not be read. Nothing was changed.';
  return (
    <PendingPage failed={isError ? { text, isRetrying: isFetching, retryAt, onRetry } : null}>
      <Link className="btn" to="/">
        Go to the dashboard
      </Link>
    </PendingPage>
  );
};

/** The route of all pages for support and admins. The server decides again at each request. */
export const ForSupport = (): JSX.Element => <Guarded title="This page is for support" needs="isSupport" />;

/** The route of the pages for admins alone. */
export const ForAdmins = (): JSX.Element => <Guarded title="This page is for admins" needs="isAdmin" />;
