import { useEffect, useRef, type JSX } from 'react';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { MessagePage } from '../../ui/message-page.tsx';

/** In the place of every page once the account is deleted: nothing that was shown stays, and nothing is asked any more. */
export const DeletedAccountPage = (): JSX.Element => {
  const title = useRef<HTMLHeadingElement>(null);
  usePageTitle('Account deleted · Tapedeck');
  useEffect(() => title.current?.focus(), []);
  return (
    <MessagePage
      titleRef={title}
      title="Your account is deleted"
      text="You are signed out, and your personal data can no longer be read."
    >
      <a className="btn btn--primary" href="/">
        Go to the start page
      </a>
    </MessagePage>
  );
};
