import type { CurrentUser, ProfileBody } from '@tapedeck/identity/contract';
import { useEffect, useState, type JSX } from 'react';
import { failureOf, problemText } from '../../../api/problem-text.ts';
import { showError } from '../../../api/succeeded.ts';
import { useCompleteProfileMutation, useCurrentUserQuery } from '../../../features/identity/identity.api.ts';
import { ProfileForm } from '../../../features/identity/profile-form.tsx';
import { useLinkPaymentMutation } from '../../../features/payments/payments.api.ts';
import {
  readPendingSubscription,
  writePendingSubscription,
  type PendingSubscription,
} from '../../../features/payments/pending-subscription.ts';
import { storedText } from '../../../ui/browser/stored-text.ts';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';

const reloadDelayMs = 1_500;
const completedFlag = storedText('tapedeck.profileCompleted');

type Link = Readonly<{ state: 'pending' | 'linked' | 'failed'; tier: string; text: string }>;

/** A purchase of this browser that still has to be added to the account. */
const usePendingLink = (): Readonly<{ link: Link | null; add: () => Promise<void> }> => {
  const [pending, setPending] = useState<PendingSubscription | null>(readPendingSubscription);
  const [outcome, setOutcome] = useState<Link | null>(null);
  const [linkPayment] = useLinkPaymentMutation();
  const add = async (): Promise<void> => {
    if (!pending) return;
    const { sessionId, paymentEmail } = pending;
    const { data, error } = await linkPayment({ sessionId, paymentEmail });
    if (data) {
      writePendingSubscription(null);
      setPending(null);
      const title = `${data.tier} Subscription ${data.emailTransferred ? 'Linked' : 'Confirmed'}!`;
      const text = `It now belongs to ${data.to}.`;
      setOutcome({ state: 'linked', tier: data.tier, text: `${title} ${text}` });
      return showToast({ kind: 'ok', title, text });
    }
    const fallback = `Failed to link your ${pending.tier} subscription. Please contact support.`;
    setOutcome({ state: 'failed', tier: pending.tier, text: problemText(error, fallback) });
    showError(error, { title: 'Payment Link Error', fallback });
  };
  const waiting: Link | null = pending && {
    state: 'pending',
    tier: pending.tier,
    text: `${pending.tier} subscription found: it will be added to your account when you complete your profile.`,
  };
  return { link: outcome ?? waiting, add };
};

const failedText = 'Failed to complete profile. Please try again.';
const noticeClass = { pending: 'notice--ok', linked: 'notice--ok', failed: 'notice--danger' } as const;

export type CompleteProfileProps = Readonly<{
  user: CurrentUser;
  /** Where it goes afterwards. */
  returnTo?: string;
}>;

/** Asks for what the membership needs; a purchase of this browser is added to the account on the way. */
export const CompleteProfile = ({ user, returnTo = '/' }: CompleteProfileProps): JSX.Element => {
  usePageTitle('Complete your profile · Tapedeck');
  const [completeProfile, { isLoading, error }] = useCompleteProfileMutation();
  const [isDone, setDone] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const { link, add } = usePendingLink();
  const submit = async (profile: ProfileBody): Promise<void> => {
    setLinking(true);
    await add();
    setLinking(false);
    const completed = await completeProfile(profile);
    if (completed.error) return showError(completed.error, { fallback: failedText });
    setDone(true);
    completedFlag.write('yes');
    showToast({ kind: 'ok', title: 'Profile completed!', text: 'Welcome to Tapedeck.' });
    setTimeout(() => window.location.assign(returnTo), reloadDelayMs);
  };
  return (
    <main className="wrap member-page narrow-page" id="main">
      <h1>Complete your profile</h1>
      <p className="lede">
        Your Discord address opens the member channels; your TradingView name opens the scripts.
      </p>
      {link && (
        <div className={`notice ${noticeClass[link.state]}`} role="status">
          <Icon name={link.state === 'failed' ? 'warn' : 'check'} />
          <div>{link.text}</div>
        </div>
      )}
      <section className="card card-pad" aria-label="Profile">
        <ProfileForm
          user={user}
          isPending={isLoading || isLinking || isDone}
          button="Complete Profile"
          pendingButton="Completing Profile..."
          problem={failureOf(error, failedText)}
          onSubmit={(profile) => void submit(profile)}
        />
      </section>
    </main>
  );
};

export const isProfileMissing = ({ discordEmail, tradingViewUsername }: CurrentUser): boolean =>
  !discordEmail || !tradingViewUsername;

/** The profile of a member at `/`; one that was just completed may not be readable yet, so it is read once more. */
export const ForcedProfile = (props: CompleteProfileProps): JSX.Element => {
  const { refetch } = useCurrentUserQuery();
  useEffect(() => {
    if (completedFlag.read() === null) return;
    completedFlag.write(null);
    void refetch();
  }, [refetch]);
  return <CompleteProfile {...props} />;
};
