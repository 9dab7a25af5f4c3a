import type { CurrentUser } from '@tapedeck/identity/contract';
import { DropdownMenu } from 'radix-ui';
import type { JSX } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { signInHref } from '../features/identity/sign-in.ts';
import { useClientConfigQuery } from '../api/config.api.ts';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from '../features/identity/user-menu.tsx';

type Section = Readonly<{
  path: string;
  name: string;
  /** Pages that belong to the section though their path does not begin with its own. */
  within: RegExp;
}>;

/** The sections there are. A new one is a line here and a route. */
const sections: readonly Section[] = [
  { path: '/strategies', name: 'Explorer', within: /^\/strateg(ies|y\/.*)$/ },
];

const useCurrent = (): ((section: Section) => 'page' | 'true' | undefined) => {
  const { pathname } = useLocation();
  return ({ path, within }) => (pathname === path ? 'page' : within.test(pathname) ? 'true' : undefined);
};

/** A section's link leads to where the person is already, with its filters, if they are there. */
const useSectionLink = (): ((section: Section) => string) => {
  const { pathname, search } = useLocation();
  return ({ path }) => (path === pathname ? path + search : path);
};

const WideNav = (): JSX.Element => {
  const linkTo = useSectionLink();
  const currentOf = useCurrent();
  return (
    <nav className="nav" aria-label="Main">
      {sections.map((section) => (
        <Link key={section.path} to={linkTo(section)} aria-current={currentOf(section)}>
          {section.name}
        </Link>
      ))}
    </nav>
  );
};

const NarrowNav = (): JSX.Element => {
  const linkTo = useSectionLink();
  const currentOf = useCurrent();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="btn btn--quiet btn--icon only-narrow" aria-label="Menu">
        <Icon name="menu" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={8} collisionPadding={8}>
          {sections.map((section) => (
            <DropdownMenu.Item key={section.path} className="menu-item" asChild>
              <Link to={linkTo(section)} aria-current={currentOf(section)}>
                {section.name}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

export type TopbarProps = Readonly<{
  /** Undefined until it is known whether somebody is signed in. */
  user: CurrentUser | null | undefined;
  onShowShortcuts: () => void;
}>;

export const Topbar = ({ user, onShowShortcuts }: TopbarProps): JSX.Element => {
  const { data: config } = useClientConfigQuery();
  return (
    <header className="topbar">
      <div className={`topbar-in ${user ? '' : 'wrap-wide'}`}>
        {user && <NarrowNav />}
        <Link className="logo" to="/" aria-label="Tapedeck, home">
          <Logo />
        </Link>
        {user && <WideNav />}
        <div className="topbar-end">
          {config?.demoCatalogue && (
            <span className="badge only-wide" title="This catalogue is filled with demo strategies">
              demo data
            </span>
          )}
          <ThemeSwitch />
          {user && <UserMenu user={user} onShowShortcuts={onShowShortcuts} />}
          {user === null && (
            <a className="btn" href={signInHref('/strategies')}>
              Login
            </a>
          )}
        </div>
      </div>
    </header>
  );
};
