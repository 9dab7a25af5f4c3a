import { createBrowserRouter } from 'react-router-dom';
import { SignedIn } from '../features/identity/sign-in.tsx';
import { AdminLayout } from './pages/admin/admin-layout.tsx';
import { ForAdmins, ForSupport } from './pages/admin/guards.tsx';
import { MemberPage, MembersPage } from './pages/admin/member-pages.tsx';
import { FiguresPage } from './pages/admin/figures-page.tsx';
import { ReplayPage, ReplaysPage } from './pages/admin/replay-pages.tsx';
import {
  ParkedEventsPage,
  PricesPage,
  ProjectionsPage,
  QueuesPage,
} from './pages/admin/operations-pages.tsx';
import { UploadPage } from './pages/admin/upload-page.tsx';
import { SqlPage } from './pages/admin/sql-page.tsx';
import { BrokenPage, NotFoundPage } from './pages/error-pages.tsx';
import { CompleteProfilePage } from './pages/complete-profile-page.tsx';
import { FavouritesPage } from './pages/favourites-page.tsx';
import { HomePage } from './pages/home-page.tsx';
import { forgetSectionOfTypedAddress } from './pages/member/sections.ts';
import { PayPage } from './pages/pay-page.tsx';
import { PaymentSuccessPage } from './pages/payment-success-page.tsx';
import { StrategiesPage, StrategyPage } from './pages/strategies-page.tsx';
import { PrivacyPage } from './pages/legal/privacy-policy.tsx';
import { TermsPage } from './pages/legal/terms-of-service.tsx';
import { TestScreenshotPage } from './pages/test-screenshot-page.tsx';
import { Shell } from './shell.tsx';

forgetSectionOfTypedAddress();

export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          { index: true, element: <HomePage /> },
          { path: 'payment-success', element: <PaymentSuccessPage /> },
          { path: 'pages/extension-privacy-policy', element: <PrivacyPage /> },
          { path: 'pages/terms-of-service', element: <TermsPage /> },
          { path: 'test-screenshot', element: <TestScreenshotPage /> },
          {
            element: <SignedIn />,
            children: [
              { path: 'complete-profile', element: <CompleteProfilePage /> },
              { path: 'pay', element: <PayPage /> },
              { path: 'favorites', element: <FavouritesPage /> },
              { path: 'strategies', element: <StrategiesPage /> },
              { path: 'strategy/:urlId', element: <StrategyPage /> },
              {
                element: <ForSupport />,
                children: [
                  {
                    element: <AdminLayout />,
                    children: [
                      { path: 'admin/members', element: <MembersPage /> },
                      { path: 'admin/members/:accountId', element: <MemberPage /> },
                      { path: 'admin/replays', element: <ReplaysPage /> },
                      { path: 'admin/replays/:replayId', element: <ReplayPage /> },
                      { path: 'admin/parked-events', element: <ParkedEventsPage /> },
                      { path: 'admin/queues', element: <QueuesPage /> },
                      {
                        element: <ForAdmins />,
                        children: [
                          { path: 'admin/figures', element: <FiguresPage /> },
                          { path: 'admin/prices', element: <PricesPage /> },
                          { path: 'admin/projections', element: <ProjectionsPage /> },
                          { path: 'admin/upload', element: <UploadPage /> },
                          { path: 'admin/sql', element: <SqlPage /> },
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
