import './app/policy.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { router } from './app/router.tsx';
import { store } from './app/store.ts';
import './app/app.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to draw into.');

// A transition is rendered in pieces, between which the browser paints.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>,
  ),
);
