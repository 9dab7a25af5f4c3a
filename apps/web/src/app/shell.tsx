import { useLayoutEffect, useRef, useState, type JSX } from 'react';
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { useChanges } from '../api/changes.api.ts';
import { OtherAccountDialog } from '../api/other-account-dialog.tsx';
import { footLinks } from '../api/site.ts';
import { DeletedAccountPage } from '../features/identity/deleted-account-page.tsx';
import { useAccountDeletion, useCurrentUserQuery } from '../features/identity/identity.api.ts';
import { useShortcutKeys, useCommands } from '../ui/browser/shortcuts.ts';
import { Footer } from '../ui/footer.tsx';
import { StillWorking } from '../ui/pending.tsx';
import { hideErrorToast, Toasts } from '../ui/toasts.tsx';
import { CommandPalette } from './palette/command-palette.tsx';
import { useSection } from './pages/member/sections.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Topbar } from './topbar.tsx';

/** An error is of the page on which it has happened. */
const useErrorsOfPage = (): void => {
  const { pathname } = useLocation();
  const page = `${pathname} ${useSection()}`;
  const shown = useRef(page);
  // Before the effects of the next page, which may show an error of its own.
  useLayoutEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    hideErrorToast();
  }, [page]);
};

/** While the code of the next page is loaded, the page before it stays. */
const NextPage = (): JSX.Element | null =>
  useNavigation().state === 'idle' ? null : (
    <div className="wrap">
      <StillWorking />
    </div>
  );

const Frame = (): JSX.Element => {
  const { data: user } = useCurrentUserQuery();
  useChanges({ skip: !user });
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const showShortcuts = (): void => setHelpOpen(true);
  useShortcutKeys();
  useErrorsOfPage();
  useCommands([{ id: 'help', key: '?', label: 'Show these shortcuts', perform: showShortcuts }]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Topbar user={user} onShowShortcuts={showShortcuts} onShowCommands={() => setPaletteOpen(true)} />
      <NextPage />
      <Outlet />
      <Footer groups={footLinks} renderLink={({ name, href }) => <Link to={href}>{name}</Link>} />
      <Toasts />
      <OtherAccountDialog />
      <ShortcutsDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      <CommandPalette
        isOn={Boolean(user)}
        isOpen={isPaletteOpen}
        onOpen={() => setPaletteOpen(true)}
        onClose={() => setPaletteOpen(false)}
        onShowShortcuts={showShortcuts}
      />
      <ScrollRestoration />
    </>
  );
};

/** The frame of every page: top bar, foot, toasts, shortcuts. */
export const Shell = (): JSX.Element => {
  const [, { isSuccess: isDeleted }] = useAccountDeletion();
  if (!isDeleted) return <Frame />;
  return (
    <>
      <DeletedAccountPage />
      {/* Not links of the router: the page that they load asks whose session it is. */}
      <Footer groups={footLinks} renderLink={({ name, href }) => <a href={href}>{name}</a>} />
    </>
  );
};
