import { createBrowserRouter, type NonIndexRouteObject } from 'react-router-dom';
import { SignedIn } from '../features/identity/sign-in.tsx';
import { PendingPage } from '../ui/pending.tsx';
import { AdminLayout } from './pages/admin/admin-layout.tsx';
import { ForAdmins, ForSupport } from './pages/admin/guards.tsx';
import { BrokenPage, NotFoundPage, PageNotLoadedError } from './pages/error-pages.tsx';
import { forgetSectionOfTypedAddress } from './pages/member/sections.ts';
import { StrategiesPage, StrategyPage } from './pages/strategies-page.tsx';
import { Shell } from './shell.tsx';

forgetSectionOfTypedAddress();

/**
 * Only the frame and the pages of the catalogue come with the first script: a first screen would wait for what it does
 * not need. The others are loaded when one of them is opened; until then the page before it stays.
 */
const loadMemberPages = () => import('./pages/member-pages.ts');
const loadAdminPages = () => import('./pages/admin/admin-pages.ts');

type MemberPages = Awaited<ReturnType<typeof loadMemberPages>>;
type AdminPages = Awaited<ReturnType<typeof loadAdminPages>>;

/** The code of a page may be out of reach, or of another version of the program than the server has by now. */
const orNotLoaded = <Code,>(code: Promise<Code>): Promise<Code> =>
  code.catch((cause: unknown) => {
    throw new PageNotLoadedError('The code of the page could not be loaded.', { cause });
  });

const hydrateFallbackElement = <PendingPage failed={null} />;

// The lazy function, not the object of lazy properties: the router loses the errors of those.
const memberPage = (path: string, name: keyof MemberPages): NonIndexRouteObject => ({
  path,
  lazy: async () => ({ Component: (await orNotLoaded(loadMemberPages()))[name] }),
  hydrateFallbackElement,
});

const adminPage = (path: string, name: keyof AdminPages): NonIndexRouteObject => ({
  path,
  lazy: async () => ({ Component: (await orNotLoaded(loadAdminPages()))[name] }),
  hydrateFallbackElement,
});

export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          memberPage('/', 'HomePage'),
          memberPage('/payment-success', 'PaymentSuccessPage'),
          memberPage('/pages/extension-privacy-policy', 'PrivacyPage'),
          memberPage('/pages/terms-of-service', 'TermsPage'),
          memberPage('/test-screenshot', 'TestScreenshotPage'),
          {
            element: <SignedIn />,
            children: [
              memberPage('/complete-profile', 'CompleteProfilePage'),
              memberPage('/pay', 'PayPage'),
              memberPage('/favorites', 'FavouritesPage'),
              { path: '/strategies', element: <StrategiesPage /> },
              { path: '/strategy/:urlId', element: <StrategyPage /> },
              {
                element: <ForSupport />,
                children: [
                  {
                    element: <AdminLayout />,
                    children: [
                      adminPage('/admin/members', 'MembersPage'),
                      adminPage('/admin/members/:accountId', 'MemberPage'),
                      adminPage('/admin/replays', 'ReplaysPage'),
                      adminPage('/admin/replays/:replayId', 'ReplayPage'),
                      adminPage('/admin/parked-events', 'ParkedEventsPage'),
                      adminPage('/admin/queues', 'QueuesPage'),
                      {
                        element: <ForAdmins />,
                        children: [
                          adminPage('/admin/figures', 'FiguresPage'),
                          adminPage('/admin/prices', 'PricesPage'),
                          adminPage('/admin/projections', 'ProjectionsPage'),
                          adminPage('/admin/upload', 'UploadPage'),
                          adminPage('/admin/sql', 'SqlPage'),
                        ],
                      },
                    ],
                  },
                ],
              },
            ],
          },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
