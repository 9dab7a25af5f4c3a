import { type CurrentUser, identityRoutes } from '@tapedeck/identity/contract';
import { DropdownMenu } from 'radix-ui';
import { useState, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { chooseTheme } from '../../ui/browser/theme.ts';
import { useChosenTheme } from '../../ui/browser/use-theme.ts';
import { Icon } from '../../ui/icon.tsx';
import { displayName, initials } from './names.ts';

export const Avatar = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const [isBroken, setBroken] = useState(false);
  if (!user.profileImageUrl || isBroken) return <span className="avatar">{initials(user)}</span>;
  return <img className="avatar" src={user.profileImageUrl} alt="" onError={() => setBroken(true)} />;
};

export type UserMenuProps = Readonly<{ user: CurrentUser; onShowShortcuts: () => void }>;

export const UserMenu = ({ user, onShowShortcuts }: UserMenuProps): JSX.Element => {
  const chosenTheme = useChosenTheme();
  return (
    // Not modal: a modal menu adds a style element to lock the page's scroll, which the content policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="user"
        aria-label={`${initials(user)}: ${displayName(user)}, account menu`}
      >
        <Avatar user={user} />
        <span className="only-wide">
          <Icon name="down" small />
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={8} collisionPadding={8}>
          <DropdownMenu.Label className="menu-label">
            <b>{displayName(user)}</b>
            {user.email}
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" asChild>
            <Link to="/?section=my-account">
              <Icon name="user" />
              My Account
            </Link>
          </DropdownMenu.Item>
          {chosenTheme && (
            <DropdownMenu.Item className="menu-item" onSelect={() => chooseTheme(null)}>
              <Icon name="theme" />
              Follow the system’s theme
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className="menu-item" onSelect={onShowShortcuts}>
            <Icon name="keyboard" />
            Keyboard shortcuts
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" asChild>
            <a href={identityRoutes.logout}>Logout</a>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};
