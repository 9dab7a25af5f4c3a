import type { CurrentUser } from '@tapedeck/identity/contract';
import { DropdownMenu } from 'radix-ui';
import type { JSX } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useClientConfigQuery } from '../api/config.api.ts';
import { useFavourites, useFollowedFavourites } from '../features/favourites/use-favourites.ts';
import { useRoles } from '../features/identity/identity.api.ts';
import { signInHref } from '../features/identity/sign-in.tsx';
import { UserMenu } from '../features/identity/user-menu.tsx';
import { chooseTheme } from '../ui/browser/theme.ts';
import { useTheme } from '../ui/browser/use-theme.ts';
import { formatWhole } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useSection, type Section } from './pages/member/sections.ts';

type NavItem = Readonly<{
  path: string;
  name: string;
  /** Of the page `/`. */
  section?: Section;
  /** Paths of all pages of the item. */
  pages: RegExp;
  Count?: () => JSX.Element;
}>;

/** Its place is there before its number is, so that the other items do not move. */
const FavouritesCount = (): JSX.Element => {
  const { favourites } = useFavourites();
  return <span className="nav-count">{favourites && formatWhole(favourites.length)}</span>;
};

/** To add a section of `/`, add it to `member/sections.ts` too; to add a page, a route. */
const items: readonly NavItem[] = [
  { path: '/?section=dashboard', name: 'Dashboard', section: 'dashboard', pages: /^\/$/ },
  { path: '/?section=strategy-optimizer', name: 'Optimizer', section: 'strategy-optimizer', pages: /^\/$/ },
  { path: '/strategies', name: 'Explorer', pages: /^\/strateg(ies|y\/.*)$/ },
  { path: '/favorites', name: 'Favorites', pages: /^\/favorites$/, Count: FavouritesCount },
  { path: '/?section=trading-bots', name: 'Trading Bots', section: 'trading-bots', pages: /^\/$/ },
];

/** Shown to those who have a role. */
const supportItems: readonly NavItem[] = [{ path: '/admin/members', name: 'Admin', pages: /^\/admin\/.*$/ }];

const useItems = (): readonly NavItem[] => {
  const roles = useRoles();
  return roles?.isSupport || roles?.isAdmin ? [...items, ...supportItems] : items;
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
          {item.Count && <item.Count />}
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
                {item.Count && <item.Count />}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

const ThemeSwitch = (): JSX.Element => {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const label = `Switch to the ${other} theme`;
  return (
    <Tooltip text={label}>
      <button
        className="btn btn--quiet btn--icon"
        type="button"
        aria-label={label}
        onClick={() => chooseTheme(other)}
      >
        <Icon name="theme" />
      </button>
    </Tooltip>
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
  useFollowedFavourites({ skip: !user });
  return (
    <header className="topbar">
      <div className={`topbar-in ${user === null ? 'wrap-wide' : ''}`}>
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
            <Tooltip text={`Commands (${isMac ? '⌘' : 'Ctrl-'}K)`}>
              <button
                className="btn btn--quiet btn--icon"
                type="button"
                aria-label="Commands"
                aria-keyshortcuts="Control+K Meta+K"
                onClick={onShowCommands}
              >
                <Icon name="search" />
              </button>
            </Tooltip>
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
