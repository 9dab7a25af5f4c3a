import type { PaymentPage } from '@tapedeck/payments/contract';
import { useCallback, useEffect, useRef, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { detailsOf, problemText } from '../../api/problem-text.ts';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { formatMoney } from '../../ui/format.ts';
import { MessagePage } from '../../ui/message-page.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useOpenPaymentPageMutation } from '../../features/payments/payments.api.ts';

const Account = ({ isPrimary = true }: Readonly<{ isPrimary?: boolean }>): JSX.Element => (
  <Link className={isPrimary ? 'btn btn--primary' : 'btn'} to="/?section=my-account">
    Open My Account
  </Link>
);

type ChangeToPay = Readonly<{ url: string; change: NonNullable<PaymentPage['change']> }>;

/** A mail about a renewal leads here, too: what is paid instead is said before. */
const PayForChange = ({ url, change }: ChangeToPay): JSX.Element => {
  const { tier, period, amount, currency } = change;
  const money = formatMoney(amount, currency);
  return (
    <MessagePage
      title="This payment changes your plan"
      text={`The unpaid invoice of ${money} is for your change to ${tier}, ${period}. If you do not pay it, your plan stays as it is.`}
    >
      <div className="row">
        <a className="btn btn--primary" href={url}>
          Pay {money} and change
        </a>
        <Account isPrimary={false} />
      </div>
    </MessagePage>
  );
};

/** `/pay`, to which mails about an unpaid renewal lead: opens the page of the payment provider. */
export const PayPage = (): JSX.Element => {
  usePageTitle('Payment · Tapedeck');
  const [openPage, { data, error, isLoading }] = useOpenPaymentPageMutation();
  const { data: user } = useCurrentUserQuery();
  const isBegun = useRef(false);
  const open = useCallback(async (): Promise<void> => {
    const answer = await openPage();
    // This page stays out of the history, so that going back from the payment does not open it again.
    if (answer.data?.url && !answer.data.change) window.location.replace(answer.data.url);
  }, [openPage]);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void open();
  }, [open]);
  if (data?.url && data.change) return <PayForChange url={data.url} change={data.change} />;
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
