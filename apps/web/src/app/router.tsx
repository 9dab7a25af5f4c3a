import { createBrowserRouter } from 'react-router-dom';
import { SignedIn } from '../features/identity/sign-in.tsx';
import { BrokenPage, NotFoundPage } from './pages/error-pages.tsx';
import { HomePage } from './pages/home-page.tsx';
import { StrategiesPage, StrategyPage } from './pages/strategies-page.tsx';
import { Shell } from './shell.tsx';

export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          { index: true, element: <HomePage /> },
          {
            element: <SignedIn />,
            children: [
              { path: 'strategies', element: <StrategiesPage /> },
              { path: 'strategy/:urlId', element: <StrategyPage /> },
            ],
          },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
