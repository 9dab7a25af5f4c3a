import type { JSX } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useRoles } from '../../../features/identity/identity.api.ts';
import { MessagePage } from '../../../ui/message-page.tsx';

type Guard = Readonly<{ title: string; needs: 'isAdmin' | 'isSupport' }>;

const Guarded = ({ title, needs }: Guard): JSX.Element => {
  const roles = useRoles();
  if (roles?.isAdmin || roles?.[needs]) return <Outlet />;
  return (
    <MessagePage title={title} text="Your account does not have this role. An admin can give it to you.">
      <Link className="btn" to="/">
        Go to the dashboard
      </Link>
    </MessagePage>
  );
};

/** The route of all pages for support and admins, below `SignedIn`. The server decides again at each request. */
export const ForSupport = (): JSX.Element => <Guarded title="This page is for support" needs="isSupport" />;

/** The route of the pages for admins alone. */
export const ForAdmins = (): JSX.Element => <Guarded title="This page is for admins" needs="isAdmin" />;
