import type { CurrentUser, ProfileBody } from '@tapedeck/identity/contract';
import type { MemberTier } from '@tapedeck/membership/contract';
import { useState, type JSX } from 'react';
import { useClientConfigQuery } from '../../../api/config.api.ts';
import { detailsOf, failureOf } from '../../../api/problem-text.ts';
import { pricingPath } from '../../../api/site.ts';
import { DeleteAccountDialog } from '../../../features/identity/delete-account-dialog.tsx';
import { useRoles, useCompleteProfileMutation } from '../../../features/identity/identity.api.ts';
import { displayName } from '../../../features/identity/names.ts';
import { ProfileForm } from '../../../features/identity/profile-form.tsx';
import { SentMailsCard } from '../../../features/identity/sent-mails-card.tsx';
import { SessionsDialog } from '../../../features/identity/sessions-dialog.tsx';
import { Avatar } from '../../../features/identity/user-menu.tsx';
import { HistoryCard } from '../../../features/membership/history-card.tsx';
import { MembershipCard } from '../../../features/membership/membership-card.tsx';
import { BillingDetails } from '../../../features/payments/billing-details.tsx';
import { OtherSubscriptions } from '../../../features/payments/other-subscriptions.tsx';
import { deletionTexts } from '../../../features/payments/subscription-texts.ts';
import { ClaimCard } from '../../../features/payments/claim-card.tsx';
import { Withdrawals } from '../../../features/payments/withdrawal.tsx';
import { PaymentsCard } from '../../../features/payments/payments-card.tsx';
import type { Terms } from '../../../features/payments/billing-facts.ts';
import { formatDay } from '../../../ui/format.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useOnceTrue } from '../../../ui/browser/use-once-true.ts';
import { useWaitedMs } from '../../../ui/browser/use-waited-ms.ts';
import { LoadingPage } from '../../../ui/loading-page.tsx';
import { StillWorking } from '../../../ui/pending.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { includedByRole } from './dashboard-membership.tsx';
import { useMemberBilling, type MemberBilling } from './use-member-billing.ts';

type OpenDialog = 'profile' | 'sessions' | 'delete' | null;

const fieldsOf = (user: CurrentUser): readonly (readonly [name: string, value: string | null])[] => [
  ['First Name', user.firstName],
  ['Last Name', user.lastName],
  ['Email Address', user.email],
  ['Discord Email', user.discordEmail],
  ['TradingView Username', user.tradingViewUsername],
];

type ProfileCardProps = Readonly<{
  user: CurrentUser;
  isActive: boolean;
  onOpen: (dialog: OpenDialog) => void;
}>;

const ProfileCard = ({ user, isActive, onOpen }: ProfileCardProps): JSX.Element => (
  <section className="card" aria-labelledby="profile-title">
    <div className="card-head">
      <Avatar user={user} />
      <h2 id="profile-title">{displayName(user)}</h2>
      {isActive && <span className="badge badge--ok push">Active Member</span>}
    </div>
    <div className="card-pad stack">
      <dl className="facts">
        {fieldsOf(user).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || 'Not provided'}</dd>
          </div>
        ))}
        <div>
          <dt>Member Since</dt>
          <dd>{formatDay(user.createdAt)}</dd>
        </div>
      </dl>
      <div className="row">
        <button className="btn" type="button" onClick={() => onOpen('profile')}>
          Update Profile
        </button>
        <button className="btn" type="button" onClick={() => onOpen('sessions')}>
          Security Settings
        </button>
        <button className="btn btn--danger" type="button" onClick={() => onOpen('delete')}>
          Delete Account
        </button>
      </div>
    </div>
  </section>
);

const updateProfileTitleId = 'update-profile-title';

type UpdateProfileProps = Readonly<{ user: CurrentUser; onClose: () => void }>;

const UpdateProfile = ({ user, onClose }: UpdateProfileProps): JSX.Element => {
  const [completeProfile, { isLoading, error }] = useCompleteProfileMutation();
  const submit = async (profile: ProfileBody): Promise<void> => {
    const outcome = await completeProfile(profile);
    if (outcome.error) return;
    onClose();
    showToast({ kind: 'ok', title: 'Profile updated', text: 'Your changes are saved.' });
  };
  return (
    <div className="dialog-body">
      <h2 id={updateProfileTitleId}>Update Profile</h2>
      <ProfileForm
        user={user}
        isPending={isLoading}
        button="Save"
        pendingButton="Saving..."
        problem={failureOf(error, 'Failed to update the profile. Please try again.')}
        onSubmit={(profile) => void submit(profile)}
      >
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
      </ProfileForm>
    </div>
  );
};

type ChoosePlanProps = Readonly<{ status: MemberTier['status'] | undefined; refusal: string | null }>;

const ChoosePlan = ({ status, refusal }: ChoosePlanProps): JSX.Element | null => {
  if (refusal !== null) {
    return (
      <div className="notice notice--warn">
        <Icon name="warn" />
        <div>{refusal}</div>
      </div>
    );
  }
  if (status === 'complimentary') return null;
  return (
    <a className="btn btn--primary" href={pricingPath}>
      {status === 'none' ? 'Upgrade to Pro' : 'Choose a plan'}
    </a>
  );
};

/** Only what gives the access can be in grace. */
const graceUntilOf = (access: MemberTier | undefined, { tier, period, isPeriodPaid }: Terms): string | null =>
  !isPeriodPaid && access?.tier === tier && access.period === period ? access.graceUntil : null;

const Membership = ({ user, data }: Readonly<{ user: CurrentUser; data: MemberBilling }>): JSX.Element => {
  const { tier, billing } = data;
  const { data: config } = useClientConfigQuery();
  const roles = useRoles();
  const isStaff = roles?.isAdmin === true || roles?.isSupport === true;
  const { subscription = null, others = [] } = billing.data ?? {};
  return (
    <MembershipCard
      tier={tier.data}
      error={tier.error}
      isFetching={tier.isFetching}
      accountEmail={user.email}
      onRetry={() => void tier.refetch()}
    >
      {!billing.data && !billing.error && <StillWorking />}
      {billing.error && !billing.data && (
        <RetryNotice
          text="Your billing could not be loaded."
          details={detailsOf(billing.error)}
          isRetrying={billing.isFetching}
          onRetry={() => void billing.refetch()}
        />
      )}
      {subscription && (
        <BillingDetails
          subscription={subscription}
          others={others}
          offers={billing.data?.offers ?? []}
          portalUrl={config?.billingPortalUrl ?? ''}
          graceUntil={graceUntilOf(tier.data, subscription)}
        />
      )}
      <OtherSubscriptions subscription={subscription} others={others} />
      <Withdrawals withdrawable={billing.data?.withdrawable ?? []} email={user.email} />
      {billing.data && !subscription && isStaff && <p className="meta">{includedByRole}</p>}
      {billing.data && !subscription && !isStaff && (
        <ChoosePlan status={tier.data?.status} refusal={billing.data.purchaseRefusal?.message ?? null} />
      )}
    </MembershipCard>
  );
};

/** What the deletion ends. */
const Losses = ({ texts }: Readonly<{ texts: readonly string[] }>): JSX.Element => (
  <div className="stack">
    {texts.map((text) => (
      <p key={text}>{text}</p>
    ))}
  </div>
);

const maxWaitMs = 2_000;

/** The section `my-account`. */
export const MyAccount = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const [opened, setOpened] = useState<OpenDialog>(null);
  const data = useMemberBilling();
  const { data: config } = useClientConfigQuery();
  const billing = data.billing.data;
  const losses = deletionTexts(billing);
  const close = (): void => setOpened(null);
  // Both together keep the page still; but what is known does not wait long for billing.
  const isBillingSlow = useWaitedMs(!data.isKnown) >= maxWaitMs;
  const isShown = useOnceTrue(data.isKnown || (isBillingSlow && data.tier.data !== undefined));
  if (!isShown) return <LoadingPage title="My Account" />;
  return (
    <main className="wrap member-page" id="main">
      <h1>My Account</h1>
      <div className="member-grid">
        <div className="member-column">
          <Membership user={user} data={data} />
          {billing && <PaymentsCard billing={billing} portalUrl={config?.billingPortalUrl ?? ''} />}
          <ClaimCard email={user.email} unclaimed={billing?.unclaimed ?? []} />
        </div>
        <div className="member-column">
          <ProfileCard user={user} isActive={data.tier.data?.active ?? false} onOpen={setOpened} />
          <HistoryCard />
          <SentMailsCard />
        </div>
      </div>
      <Dialog isOpen={opened === 'profile'} titleId={updateProfileTitleId} onClose={close}>
        <UpdateProfile user={user} onClose={close} />
      </Dialog>
      <SessionsDialog isOpen={opened === 'sessions'} onClose={close} />
      <DeleteAccountDialog
        isOpen={opened === 'delete'}
        email={user.email}
        subscription={losses.length > 0 && <Losses texts={losses} />}
        onClose={close}
      />
    </main>
  );
};
