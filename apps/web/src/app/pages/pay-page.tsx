import { useCallback, useEffect, useRef, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { detailsOf, problemText } from '../../api/problem-text.ts';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { MessagePage } from '../../ui/message-page.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useOpenPaymentPageMutation } from '../../features/payments/payments.api.ts';

const Account = (): JSX.Element => (
  <Link className="btn btn--primary" to="/?section=my-account">
    Open My Account
  </Link>
);

/** `/pay`, to which mails about an unpaid renewal lead: opens the page of the payment provider. */
export const PayPage = (): JSX.Element => {
  usePageTitle('Payment · Tapedeck');
  const [openPage, { data, error, isLoading }] = useOpenPaymentPageMutation();
  const { data: user } = useCurrentUserQuery();
  const isBegun = useRef(false);
  const open = useCallback(async (): Promise<void> => {
    const answer = await openPage();
    // This page stays out of the history, so that going back from the payment does not open it again.
    if (answer.data?.url) window.location.replace(answer.data.url);
  }, [openPage]);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void open();
  }, [open]);
  if (data?.url === null)
    return (
      <MessagePage title="Nothing to pay" text="Your subscription has no unpaid invoice at the moment.">
        {user && (
          <p>
            You are signed in as <b>{user.email}</b>: if the e-mail went to another address, sign in with that
            one.
          </p>
        )}
        <div className="row">
          <Account />
        </div>
      </MessagePage>
    );
  if (error)
    return (
      <MessagePage title="The payment page did not open" text="Nothing was charged.">
        <RetryNotice
          text={problemText(error, 'The page could not be opened. Please try again.')}
          details={detailsOf(error)}
          isRetrying={isLoading}
          onRetry={() => void open()}
        />
        <div className="row">
          <Account />
        </div>
      </MessagePage>
    );
  return (
    <MessagePage title="Opening the payment page..." text="It belongs to our payment provider.">
      {data?.url && (
        <a className="btn" href={data.url}>
          Open it now
        </a>
      )}
    </MessagePage>
  );
};
