import { identityRoutes } from '@tapedeck/identity/contract';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { landingPath } from '../../api/site.ts';
import { useMemberSuggestions } from '../../features/audit/member-field.tsx';
import { useRoles } from '../../features/identity/identity.api.ts';
import { registeredCommands } from '../../ui/browser/shortcuts.ts';
import { chooseTheme } from '../../ui/browser/theme.ts';
import { useChosenTheme, useTheme } from '../../ui/browser/use-theme.ts';
import { matchEntries } from './match-entries.ts';
import { routesFor } from './routes.ts';

/** One line of the palette. */
export type Entry = Readonly<{
  id: string;
  name: string;
  group: string;
  keywords?: string | undefined;
  key?: string | undefined;
  more?: string;
  perform: () => void;
}>;

export type PaletteActions = Readonly<{ onShowShortcuts: () => void; onShowSessions: () => void }>;

const useActions = ({ onShowShortcuts, onShowSessions }: PaletteActions): readonly Entry[] => {
  const theme = useTheme();
  const chosen = useChosenTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const group = 'Actions';
  return [
    {
      id: 'theme',
      name: `Switch to the ${other} theme`,
      group,
      keywords: 'colours dark light mode',
      perform: () => chooseTheme(other),
    },
    ...(chosen === null
      ? []
      : [{ id: 'theme-system', name: 'Follow the system’s theme', group, perform: () => chooseTheme(null) }]),
    {
      id: 'sessions',
      name: 'Security Settings',
      group,
      keywords: 'sessions devices browsers sign out',
      perform: onShowSessions,
    },
    {
      id: 'shortcuts',
      name: 'Keyboard shortcuts',
      group,
      key: '?',
      keywords: 'keys help',
      perform: onShowShortcuts,
    },
    {
      id: 'logout',
      name: 'Logout',
      group,
      keywords: 'sign out',
      perform: () => window.location.assign(identityRoutes.logout),
    },
  ];
};

const helpId = 'help';

/** What the page itself can do at this moment. */
const pageEntries = (): readonly Entry[] =>
  registeredCommands()
    .filter(({ id }) => id !== helpId)
    .map(({ id, label, keywords, key, perform }) => ({
      id: `page-${id}`,
      name: label,
      group: 'On this page',
      keywords,
      key,
      perform,
    }));

const useMembers = (text: string): readonly Entry[] => {
  const roles = useRoles();
  const navigate = useNavigate();
  const { members } = useMemberSuggestions(text, roles?.isSupport || roles?.isAdmin || false);
  return members.map(({ accountId, email, name, tier, status }) => ({
    id: accountId,
    name: email ?? 'Deleted account',
    group: 'Members',
    more: [name, tier, status === 'none' ? 'never a member' : status].filter(Boolean).join(' · '),
    perform: () => void navigate(`/admin/members/${accountId}`),
  }));
};

/** The landing page is a document of its own. */
const isOfSite = (path: string): boolean => path.startsWith(landingPath);

/** Everything that can be done from here by this role and fits the text. */
export const useEntries = (text: string, actions: PaletteActions): readonly Entry[] => {
  const roles = useRoles();
  const navigate = useNavigate();
  const own = useActions(actions);
  const members = useMembers(text);
  // The page cannot register anything else while the palette is over it.
  const ofPage = useMemo(() => pageEntries(), []);
  const { isSupport = false, isAdmin = false } = roles ?? {};
  const routes = routesFor({ isSupport, isAdmin }).map(({ path, ...route }): Entry => ({
    ...route,
    id: path,
    perform: () => (isOfSite(path) ? window.location.assign(path) : void navigate(path)),
  }));
  return [...matchEntries(text, [...ofPage, ...routes, ...own]), ...members];
};
