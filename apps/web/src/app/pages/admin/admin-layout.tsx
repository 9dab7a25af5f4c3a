import type { JSX } from 'react';
import { NavLink, Outlet } from 'react-router-dom';
import { useRoles } from '../../../features/identity/identity.api.ts';
import { adminSections } from './sections.ts';

/** The navigation of the pages for support and admins, above each of them. */
export const AdminLayout = (): JSX.Element => {
  const roles = useRoles();
  const sections = adminSections.filter(({ isForAdmins }) => roles?.isAdmin || !isForAdmins);
  return (
    <>
      <nav className="subnav wrap" aria-label="Admin">
        {sections.map(({ path, name }) => (
          // Without the class `active`, which is the explorer's.
          <NavLink key={path} to={path} className={() => undefined}>
            {name}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </>
  );
};
