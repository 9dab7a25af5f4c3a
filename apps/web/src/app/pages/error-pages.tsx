import type { JSX } from 'react';
import { Link, useRouteError } from 'react-router-dom';
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

export class PageNotLoadedError extends Error {
  override name = 'PageNotLoadedError';
}

const notLoadedText =
  'The server is out of reach, or has a new version of Tapedeck. Nothing was changed; reloading the page usually helps.';

/** Replaces a page that has thrown an error, or could not be loaded. */
export const BrokenPage = (): JSX.Element => {
  const isNotLoaded = useRouteError() instanceof PageNotLoadedError;
  return (
    <MessagePage
      title={isNotLoaded ? 'This page could not be loaded' : 'This page has failed'}
      text={isNotLoaded ? notLoadedText : 'This is our fault. Reloading the page usually helps.'}
    >
      <button className="btn" type="button" onClick={() => window.location.reload()}>
        Reload the page
      </button>
    </MessagePage>
  );
};
