import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { MessagePage } from '../../ui/message-page.tsx';

/** For an address without a route. */
export const NotFoundPage = (): JSX.Element => {
  usePageTitle('Page Not Found · Tapedeck');
  return (
    <MessagePage title="Page Not Found" text="There is no page at this address.">
      <Link className="btn" to="/">
        Go to the start page
      </Link>
    </MessagePage>
  );
};

/** Replaces a page that has thrown an error. */
export const BrokenPage = (): JSX.Element => (
  <MessagePage title="This page has failed" text="This is our fault. Reloading the page usually helps.">
    <button className="btn" type="button" onClick={() => window.location.reload()}>
      Reload the page
    </button>
  </MessagePage>
);
