import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { Message } from '../../ui/message-page.tsx';

export const NotFoundPage = (): JSX.Element => {
  usePageTitle('Page Not Found · Tapedeck');
  return (
    <Message title="Page Not Found" words="There is nothing at this address.">
      <Link className="btn" to="/">
        Go to the start
      </Link>
    </Message>
  );
};
