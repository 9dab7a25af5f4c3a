import type { CurrentUser } from '@tapedeck/identity/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import type { PaymentVerification } from '@tapedeck/payments/contract';
import { useEffect, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { pricingPath, site } from '../../api/site.ts';
import { succeeded } from '../../api/succeeded.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { StillWorking } from '../../ui/pending.tsx';
import type { PaymentProgress } from './payment-progress.ts';
import { useLinkPaymentMutation } from './payments.api.ts';
import { writePendingSubscription } from './pending-subscription.ts';

export type PaymentSuccessProps = Readonly<{
  progress: PaymentProgress;
  verification: PaymentVerification | undefined;
  sessionId: string | null;
  user: CurrentUser | null | undefined;
  isFetching: boolean;
  onRetry: () => void;
}>;

/** Keeps the purchase for the profile form, which adds it to the account. */
const usePendingSubscription = ({ progress, verification, sessionId }: PaymentSuccessProps): void => {
  useEffect(() => {
    if (progress !== 'paid' || !verification || verification.claimed || !sessionId) return;
    writePendingSubscription({
      paymentEmail: verification.email ?? '',
      subscriptionId: verification.subscriptionId ?? '',
      tier: verification.tier,
      sessionId,
    });
  }, [progress, verification, sessionId]);
};

const NextSteps = ({ tier }: Readonly<{ tier: string }>): JSX.Element => (
  <>
    <h2>{"What's Next?"}</h2>
    <ol className="steps">
      <li>
        <span>Sign in, or create your account, in this browser.</span>
      </li>
      <li>
        <span>Complete your profile: your {tier} membership is added to your account.</span>
      </li>
      <li>
        <span>Install the extension and start.</span>
      </li>
    </ol>
    <a className="btn btn--primary" href={`${identityRoutes.login}?returnTo=/complete-profile`}>
      Complete Registration
    </a>
  </>
);

const returnHere = (): string => encodeURIComponent(`${window.location.pathname}${window.location.search}`);

const SignInHere = ({ children }: Readonly<{ children: ReactNode }>): JSX.Element => (
  <a className="btn btn--primary" href={`${identityRoutes.login}?returnTo=${returnHere()}`}>
    {children}
  </a>
);

const ToMyAccount = ({ isPrimary = false }: Readonly<{ isPrimary?: boolean }>): JSX.Element => (
  <Link className={isPrimary ? 'btn btn--primary' : 'btn'} to="/?section=my-account">
    Go to My Account
  </Link>
);

const LinkButton = ({ sessionId, tier }: Readonly<{ sessionId: string; tier: string }>): JSX.Element => {
  const [linkPayment, { isLoading }] = useLinkPaymentMutation();
  const link = async (): Promise<void> => {
    const fallback = `Failed to link your ${tier} subscription. Please contact support.`;
    if (succeeded(await linkPayment({ sessionId }), fallback, 'Payment Link Error')) {
      writePendingSubscription(null);
    }
  };
  return (
    <div className="row">
      <ActionButton className="btn btn--primary" type="button" isBusy={isLoading} onClick={() => void link()}>
        {isLoading ? 'Processing...' : `Add ${tier} to my account`}
      </ActionButton>
      <ToMyAccount />
    </div>
  );
};

const contactSupport = (
  <a className="btn" href={`mailto:${site.billingEmail}`}>
    Write to {site.billingEmail}
  </a>
);

const OwnedPurchase = ({ user }: Pick<PaymentSuccessProps, 'user'>): JSX.Element =>
  user ? (
    <MessagePage
      title="This purchase belongs to another account"
      text={`You are signed in as ${user.email}. Sign in with the account that has it to see its membership.`}
    >
      <div className="row">
        <ToMyAccount />
        {contactSupport}
      </div>
    </MessagePage>
  ) : (
    <MessagePage
      title="Your payment went through"
      text="This purchase belongs to an account: sign in to see its membership."
    >
      <SignInHere>Sign in</SignInHere>
    </MessagePage>
  );

/** The result of a payment; `progress` says which. */
export const PaymentSuccess = (props: PaymentSuccessProps): JSX.Element => {
  const { progress, verification, sessionId, user, isFetching, onRetry } = props;
  usePendingSubscription(props);
  const tier = verification?.tier ?? '';
  switch (progress) {
    case 'loading':
      return (
        <MessagePage title="Verifying Payment..." text="This takes a moment.">
          <StillWorking>{contactSupport}</StillWorking>
        </MessagePage>
      );
    case 'processing':
      return (
        <MessagePage title="Your payment is being processed" text="This page updates automatically.">
          <span role="status" className="meta">
            Processing...
          </span>
        </MessagePage>
      );
    case 'delayed':
      return (
        <MessagePage
          title="This is taking longer than usual"
          text="We will e-mail you as soon as the payment goes through. It is safe to close this page."
        >
          <Link className="btn" to="/">
            Return Home
          </Link>
        </MessagePage>
      );
    case 'received':
      return (
        <MessagePage
          title="Your payment went through"
          text="My Account has your payments, and what your membership includes now."
        >
          <div className="row">
            <ToMyAccount isPrimary />
            {contactSupport}
          </div>
        </MessagePage>
      );
    case 'owned':
      return <OwnedPurchase user={user} />;
    case 'taken':
      return (
        <MessagePage
          title="Another account has this purchase"
          text="It was claimed with a code that was sent to its e-mail address. If that was not you, take it over: you paid in this browser."
        >
          {user ? (
            <LinkButton sessionId={sessionId ?? ''} tier={tier} />
          ) : (
            <SignInHere>Sign in to take it over</SignInHere>
          )}
        </MessagePage>
      );
    case 'returned':
      return (
        <MessagePage
          title="Your payment is being refunded"
          text="We could not give you this plan. All of the payment goes back to your card, and an e-mail says why. Your bank needs five to ten days to show it."
        >
          <div className="row">
            <a className="btn btn--primary" href={user ? '/?section=my-account' : pricingPath}>
              {user ? 'Go to My Account' : 'Back to pricing'}
            </a>
            {contactSupport}
          </div>
        </MessagePage>
      );
    case 'failed':
      return (
        <MessagePage
          title="The payment did not go through"
          text="You have not been charged. Choose the plan again, and use another card if this one was refused."
        >
          <a className="btn btn--primary" href={pricingPath}>
            Back to pricing
          </a>
        </MessagePage>
      );
    case 'error':
      return (
        <MessagePage
          title="Payment Verification Failed"
          text="We couldn't verify your payment. Please contact support if you were charged."
        >
          <div className="row">
            <Link className="btn" to="/">
              Return Home
            </Link>
            {sessionId && (
              <button className="btn" type="button" aria-busy={isFetching} onClick={onRetry}>
                Try again
              </button>
            )}
            {contactSupport}
          </div>
        </MessagePage>
      );
    case 'active':
      return (
        <MessagePage title="Upgrade Complete!" text={`Welcome to ${tier}: your membership is active.`}>
          <Link className="btn btn--primary" to="/">
            Go to Dashboard
          </Link>
        </MessagePage>
      );
    case 'paid':
      return (
        <MessagePage
          title="Payment Successful!"
          text={`Welcome to ${tier}! One step is left: adding the membership to your account.`}
        >
          {user ? <LinkButton sessionId={sessionId ?? ''} tier={tier} /> : <NextSteps tier={tier} />}
        </MessagePage>
      );
  }
};
