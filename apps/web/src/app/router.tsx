import { createBrowserRouter } from 'react-router-dom';
import { BrokenPage } from './pages/broken-page.tsx';
import { HomePage } from './pages/home-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { StrategiesPage } from './pages/strategies-page.tsx';
import { StrategyPage } from './pages/strategy-page.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from '../features/identity/signed-in.tsx';

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
