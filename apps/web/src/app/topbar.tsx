import type { CurrentUser } from '@tapedeck/identity/contract';
import { DropdownMenu } from 'radix-ui';
import type { JSX } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useClientConfigQuery } from '../api/config.api.ts';
import { useAdminStatusQuery } from '../features/identity/identity.api.ts';
import { signInHref } from '../features/identity/sign-in.tsx';
import { UserMenu } from '../features/identity/user-menu.tsx';
import { chooseTheme, useTheme } from '../ui/browser/theme.ts';
import { Icon } from '../ui/icon.tsx';
import { useSection, type Section } from './pages/member/sections.ts';

type NavItem = Readonly<{
  path: string;
  name: string;
  /** Of the page `/`. */
  section?: Section;
  /** Paths of all pages of the item. */
  pages: RegExp;
}>;

/** To add a section of `/`, add it to `member/sections.ts` too; to add a page, a route. */
const items: readonly NavItem[] = [
  { path: '/?section=dashboard', name: 'Dashboard', section: 'dashboard', pages: /^\/$/ },
  { path: '/?section=strategy-optimizer', name: 'Optimizer', section: 'strategy-optimizer', pages: /^\/$/ },
  { path: '/strategies', name: 'Explorer', pages: /^\/strateg(ies|y\/.*)$/ },
  { path: '/?section=trading-bots', name: 'Trading Bots', section: 'trading-bots', pages: /^\/$/ },
];

/** Shown to those who have a role. */
const supportItems: readonly NavItem[] = [{ path: '/admin/members', name: 'Admin', pages: /^\/admin\/.*$/ }];

const useItems = (): readonly NavItem[] => {
  const { data } = useAdminStatusQuery();
  return data?.isSupport || data?.isAdmin ? [...items, ...supportItems] : items;
};

const useCurrent = (): ((item: NavItem) => 'page' | 'true' | undefined) => {
  const { pathname } = useLocation();
  const shown = useSection();
  return ({ path, section, pages }) => {
    if (!pages.test(pathname) || (section && section !== shown)) return undefined;
    return section || pathname === path ? 'page' : 'true';
  };
};

/** The link of the present page keeps the address with its filters. */
const useSectionLink = (): ((item: NavItem) => string) => {
  const { pathname, search } = useLocation();
  return ({ path }) => (path === pathname ? path + search : path);
};

const WideNav = (): JSX.Element => {
  const linkTo = useSectionLink();
  const currentOf = useCurrent();
  const shown = useItems();
  return (
    <nav className="nav" aria-label="Main">
      {shown.map((item) => (
        <Link key={item.path} to={linkTo(item)} aria-current={currentOf(item)}>
          {item.name}
        </Link>
      ))}
    </nav>
  );
};

const NarrowNav = (): JSX.Element => {
  const linkTo = useSectionLink();
  const currentOf = useCurrent();
  const shown = useItems();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="btn btn--quiet btn--icon only-narrow" aria-label="Menu">
        <Icon name="menu" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={8} collisionPadding={8}>
          {shown.map((item) => (
            <DropdownMenu.Item key={item.path} className="menu-item" asChild>
              <Link to={linkTo(item)} aria-current={currentOf(item)}>
                {item.name}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

/** A histogram with a playhead, and the name. */
const Logo = (): JSX.Element => (
  <>
    <svg viewBox="0 0 24 24" width="24" aria-hidden="true">
      <g className="logo-mark" fill="none" stroke="currentColor" strokeWidth="2.2">
        <path d="M0 17.9h24M2.6 17.9v-4M7.2 17.9v-8.6M16.8 17.9v-6.4M21.4 17.9v-3" />
        <path className="playhead" d="M12 2v20" strokeWidth="2.8" />
      </g>
    </svg>
    <svg viewBox="0 0 103.5 24" width="103" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2.2">
        <path d="M4.4 3v11.4q0 2.6 2.6 2.6h1.6M.4 7.2h8.2" />
        <circle cx="16" cy="12" r="5" />
        <path d="M21 6v12" />
        <circle cx="30.2" cy="12" r="5" />
        <path d="M25.2 6v16.5" />
        <path d="M39.4 12h10a5 5 0 1 0-1.6 3.7" />
        <circle cx="57.8" cy="12" r="5" />
        <path d="M62.8 1v17" />
        <path d="M67 12h10a5 5 0 1 0-1.6 3.7" />
        <path d="M89.4 8.5a5 5 0 1 0 0 7" />
        <path d="M94 1v17M102 6.2l-6.9 6.4M96.4 11l5.9 7" />
      </g>
    </svg>
  </>
);

const ThemeSwitch = (): JSX.Element => {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      className="btn btn--quiet btn--icon"
      type="button"
      aria-label={`Switch to the ${other} theme`}
      title={`Switch to the ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name="theme" />
    </button>
  );
};

export type TopbarProps = Readonly<{
  /** Null for a visitor, undefined while that is not known. */
  user: CurrentUser | null | undefined;
  onShowShortcuts: () => void;
  onShowCommands: () => void;
}>;

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent);

export const Topbar = ({ user, onShowShortcuts, onShowCommands }: TopbarProps): JSX.Element => {
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
          {user && (
            <button
              className="btn btn--quiet btn--icon"
              type="button"
              aria-label="Commands"
              aria-keyshortcuts="Control+K Meta+K"
              title={`Commands (${isMac ? '⌘' : 'Ctrl-'}K)`}
              onClick={onShowCommands}
            >
              <Icon name="search" />
            </button>
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
