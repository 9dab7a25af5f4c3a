import { isForgotten } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { IntentId } from './checkout.ts';
import type { MoneyActionProposed } from './money-action-events.ts';
import type { PriceNotice } from './price-events.ts';
import type {
  ClaimProof,
  DisputeClosed,
  Entitlement,
  MoneyFinding,
  PaymentFailed,
  PaymentRecorded,
  PurchaseReturnBegun,
  RefundRecorded,
  StripeRequest,
  SubscriptionEvent,
  SubscriptionObserved,
} from './subscription-events.ts';

export type ObservedSnapshot = SubscriptionObserved['data'];
export type PaidInvoice = PaymentRecorded['data'];
export type Failure = PaymentFailed['data'];
export type Refund = RefundRecorded['data'];

type ById<Value> = Readonly<Record<string, Value>>;

export type Dispute = Readonly<{
  outcome: DisputeClosed['data']['outcome'] | null;
  closedAt: string | null;
  /** Null when it became known by its end. */
  chargeId: string | null;
  /** The payment that it is about; null where that is not known. */
  invoiceId: string | null;
}>;
/** That all of it goes back. */
export type PurchaseReturn = Omit<PurchaseReturnBegun['data'], 'subscriptionId'> &
  Readonly<{ isCompleted: boolean }>;

export type RecordedRequest = Readonly<{
  /** The request; named as in its event. */
  write: StripeRequest;
  outcome: 'requested' | 'completed' | 'refused' | 'repeated' | 'abandoned';
  refusal?: Readonly<{ code: string; fixUrl: string | null }>;
  /** Of support. */
  actionId?: string;
  /** Who has proposed to abandon it. */
  abandonProposedBy?: AccountId;
}>;

/** An action of support, as far as later ones depend on it. */
export type TakenAction = Readonly<{ stake: number; takenAt: string; isApproved: boolean }>;

export type ProposalOutcome = 'open' | 'approved' | 'rejected' | 'expired';
/** An action of support that needs a second person. */
export type Proposal = Pick<MoneyActionProposed['data'], 'accountId' | 'action' | 'by' | 'expiresAt'> &
  Readonly<{ outcome: ProposalOutcome }>;

/** The account that has claimed a purchase, or got it. */
export type Claimant = Readonly<{
  accountId: AccountId;
  intentId: IntentId;
  proof: ClaimProof;
  /** Another account had it before. */
  isHandedOver: boolean;
}>;

/** One subscription at Stripe, as far as the tape knows it, the account that owns it, and the one that pays it. */
export type Subscription = Readonly<{
  observed: ObservedSnapshot | null;
  /** How many snapshots are recorded. */
  snapshots: number;
  payments: ById<PaidInvoice>;
  /** By invoice and attempt. */
  failures: ById<Failure>;
  /** When, by invoice. */
  voided: ById<string>;
  refunds: ById<Refund>;
  disputes: ById<Dispute>;
  owner: Claimant | null;
  /** Has proved to have paid: the customer at Stripe, its card and its invoices are its own. Null where the payer is not known. */
  payer: Claimant | null;
  /** Whether it waits, or has waited, for a claim. */
  unclaimed: 'never' | 'waiting' | 'over';
  remindedDays: readonly number[];
  /** Whether nothing personal may be recorded any more. */
  isForgotten: boolean;
  /** Deleted accounts that have owned or paid it. */
  closedAccounts: readonly AccountId[];
  purchaseReturn: PurchaseReturn | null;
  requests: ById<RecordedRequest>;
  actions: ById<TakenAction>;
  proposals: ById<Proposal>;
  /** The newest notice of a price to the owner. */
  priceNotice: PriceNotice | null;
  /** The newest one that was published. */
  published: Entitlement | null;
  /** What waits in the queue of money and access. */
  finding: MoneyFinding | null;
  /** The one that a person has accepted last. */
  acceptedFinding: MoneyFinding | null;
}>;

export const noSubscription: Subscription = {
  observed: null,
  snapshots: 0,
  payments: {},
  failures: {},
  voided: {},
  refunds: {},
  disputes: {},
  owner: null,
  payer: null,
  unclaimed: 'never',
  remindedDays: [],
  isForgotten: false,
  closedAccounts: [],
  purchaseReturn: null,
  requests: {},
  actions: {},
  proposals: {},
  priceNotice: null,
  published: null,
  finding: null,
  acceptedFinding: null,
};

/** The account or the browser that has begun the checkout. */
export const provesPayment = (proof: ClaimProof): boolean => proof === 'checkout' || proof === 'browser';

/**
 * The owner has not proved to have paid: the purchase came by the mailbox of its address, or by support, and the card is that of
 * somebody else.
 */
export const isPaidByAnother = ({ owner, payer }: Pick<Subscription, 'owner' | 'payer'>): boolean =>
  owner !== null && owner.accountId !== payer?.accountId;

export const failureKey = ({ invoiceId, attempt }: Pick<Failure, 'invoiceId' | 'attempt'>): string =>
  `${invoiceId} ${attempt}`;

const refundRanks = { pending: 0, succeeded: 1, canceled: 2, failed: 3 } as const;

/** A refund moves only forward through its states, so the order in which they are recorded does not matter. */
export const isLaterRefund = (refund: Pick<Refund, 'status'>, known: Refund | undefined): boolean =>
  known === undefined || refundRanks[refund.status] > refundRanks[known.status];

export const finalStatuses: readonly string[] = ['canceled', 'incomplete_expired'];

export const isFinal = ({ status }: Pick<ObservedSnapshot, 'status'>): boolean =>
  finalStatuses.includes(status);

/** A text that is the same for the same content, whatever the order of its fields. */
export const contentText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

type Comparable = Omit<ObservedSnapshot, 'subscriptionId' | 'personalSubject' | 'replaces' | 'cardExpiresAt'>;

/** What Stripe has said, without the time and without a card that was forgotten. */
const contentOf = (
  { observedAt: _observedAt, apiVersion: _apiVersion, card, ...rest }: Comparable,
  withCard: boolean,
): string => contentText({ ...rest, ...(withCard ? { card } : {}) });

const withoutNames = ({
  subscriptionId: _subscriptionId,
  personalSubject: _personalSubject,
  replaces: _replaces,
  cardExpiresAt: _cardExpiresAt,
  ...rest
}: ObservedSnapshot): Comparable => rest;

const contentsOf = (next: Comparable, known: ObservedSnapshot): readonly [next: string, known: string] => {
  const withCard = !isForgotten(known.card) && !isForgotten(next.card);
  return [contentOf(next, withCard), contentOf(withoutNames(known), withCard)];
};

/**
 * A final status holds for ever; otherwise the snapshot that was begun later holds. `isCertain`: it was begun when the known
 * one was recorded already, whatever the clocks of the machines say that have read them.
 */
export const isBegunLater = (
  next: Comparable,
  known: ObservedSnapshot | null,
  isCertain: boolean,
): boolean => {
  if (!known) return true;
  if (isFinal(next) !== isFinal(known)) return isFinal(next);
  return isCertain || next.observedAt > known.observedAt;
};

/** Whether a snapshot differs from the known one, and holds in its place. */
export const supersedes = (next: Comparable, known: ObservedSnapshot | null, isCertain: boolean): boolean => {
  if (!known) return true;
  const [nextContent, knownContent] = contentsOf(next, known);
  if (nextContent === knownContent) return false;
  const isTie = !isCertain && isFinal(next) === isFinal(known) && next.observedAt === known.observedAt;
  return isTie ? nextContent > knownContent : isBegunLater(next, known, isCertain);
};

/**
 * Whether a subscription is to be read once more after this snapshot. Of two snapshots that overlap, the older one may be
 * recorded last: where the newer one equals what was known before, it has left no event that would show it. So each
 * change on the tape is confirmed by a snapshot that began after it.
 */
export const isToBeConfirmed = ({ replaces, status }: ObservedSnapshot): boolean =>
  replaces !== undefined && !isFinal({ status });

const withOwner = (state: Subscription, owner: Claimant): Subscription => ({
  ...state,
  owner,
  payer: provesPayment(owner.proof) ? owner : state.payer,
  unclaimed: state.unclaimed === 'waiting' ? 'over' : state.unclaimed,
});

const withOutcome = (
  state: Subscription,
  requestId: string,
  outcome: Partial<Omit<RecordedRequest, 'write'>>,
): Subscription => {
  const request = state.requests[requestId];
  if (!request) return state;
  return { ...state, requests: { ...state.requests, [requestId]: { ...request, ...outcome } } };
};

/** Of an action that was not proposed there is none. */
const withProposal = (state: Subscription, id: string, outcome: ProposalOutcome): Subscription => {
  const proposal = state.proposals[id];
  if (!proposal) return state;
  return { ...state, proposals: { ...state.proposals, [id]: { ...proposal, outcome } } };
};

/** Of the newest notice; an earlier one was replaced. */
const withNotice = (
  state: Subscription,
  announcementId: string,
  change: Partial<Pick<PriceNotice, 'isWithdrawn' | 'isDue'>>,
): Subscription => {
  const { priceNotice: notice } = state;
  return notice?.announcementId === announcementId
    ? { ...state, priceNotice: { ...notice, ...change } }
    : state;
};

const findingIn = ({ kind, amount, currency, until }: MoneyFinding): MoneyFinding => ({
  kind,
  amount,
  currency,
  ...(until === undefined ? {} : { until }),
});

export const evolve = (state: Subscription, event: SubscriptionEvent): Subscription => {
  switch (event.type) {
    case 'SubscriptionObserved':
      return { ...state, observed: event.data, snapshots: state.snapshots + 1 };
    case 'PaymentRecorded':
      return { ...state, payments: { ...state.payments, [event.data.invoiceId]: event.data } };
    case 'PaymentFailed':
      return { ...state, failures: { ...state.failures, [failureKey(event.data)]: event.data } };
    case 'InvoiceVoided': {
      const { invoiceId, voidedAt } = event.data;
      return { ...state, voided: { ...state.voided, [invoiceId]: voidedAt } };
    }
    case 'RefundRecorded':
      return { ...state, refunds: { ...state.refunds, [event.data.refundId]: event.data } };
    case 'DisputeOpened': {
      const { disputeId, chargeId, invoiceId = null } = event.data;
      const opened = { outcome: null, closedAt: null, chargeId, invoiceId };
      return { ...state, disputes: { ...state.disputes, [disputeId]: opened } };
    }
    case 'DisputeClosed': {
      const { disputeId, outcome, closedAt } = event.data;
      const { chargeId = null, invoiceId = null } = state.disputes[disputeId] ?? {};
      const closed = { outcome, closedAt, chargeId, invoiceId };
      return { ...state, disputes: { ...state.disputes, [disputeId]: closed } };
    }
    case 'PaymentClaimed': {
      const { accountId, intentId, proof } = event.data;
      const isHandedOver = state.owner?.isHandedOver ?? false;
      return withOwner(state, { accountId, intentId, proof, isHandedOver });
    }
    case 'PaymentTransferred': {
      const { toAccountId: accountId, intentId, proof, fromAccountId } = event.data;
      return withOwner(state, { accountId, intentId, proof, isHandedOver: fromAccountId !== null });
    }
    case 'PurchaseUnclaimed':
      return { ...state, unclaimed: 'waiting' };
    case 'ClaimReminderDue':
      return { ...state, remindedDays: [...state.remindedDays, event.data.day] };
    case 'ClaimPeriodEnded':
      return { ...state, unclaimed: 'over' };
    case 'BuyerForgotten': {
      const closed = event.data.accountId ?? state.owner?.accountId;
      const closedAccounts = closed === undefined ? state.closedAccounts : [...state.closedAccounts, closed];
      return { ...state, isForgotten: true, closedAccounts };
    }
    case 'PurchaseReturnBegun': {
      const { subscriptionId: _subscriptionId, ...begun } = event.data;
      return { ...state, purchaseReturn: { ...begun, isCompleted: false } };
    }
    case 'PurchaseReturnCompleted':
      return {
        ...state,
        purchaseReturn: state.purchaseReturn && { ...state.purchaseReturn, isCompleted: true },
      };
    case 'StripeWriteRequested': {
      const { requestId, write, repeats = '', actionId } = event.data;
      const { requests } = withOutcome(state, repeats, { outcome: 'repeated' });
      const request = {
        write,
        outcome: 'requested',
        ...(actionId === undefined ? {} : { actionId }),
      } as const;
      return { ...state, requests: { ...requests, [requestId]: request } };
    }
    case 'StripeWriteCompleted':
      return withOutcome(state, event.data.requestId, { outcome: 'completed' });
    case 'StripeWriteRefused': {
      const { requestId, code, fixUrl } = event.data;
      return withOutcome(state, requestId, { outcome: 'refused', refusal: { code, fixUrl } });
    }
    case 'StripeWriteAbandoned':
      return withOutcome(state, event.data.requestId, { outcome: 'abandoned' });
    case 'StripeWriteAbandonProposed': {
      const { requestId, by } = event.data;
      return withOutcome(state, requestId, { abandonProposedBy: by });
    }
    case 'MoneyActionTaken': {
      const { actionId, stake, takenAt, approvedBy } = event.data;
      const taken = { stake, takenAt, isApproved: approvedBy !== null };
      return withProposal(
        { ...state, actions: { ...state.actions, [actionId]: taken } },
        actionId,
        'approved',
      );
    }
    case 'MoneyActionProposed': {
      const { proposalId, accountId, action, by, expiresAt } = event.data;
      const proposal = { accountId, action, by, expiresAt, outcome: 'open' } as const;
      return { ...state, proposals: { ...state.proposals, [proposalId]: proposal } };
    }
    case 'MoneyActionRejected':
      return withProposal(state, event.data.proposalId, 'rejected');
    case 'MoneyActionExpired':
      return withProposal(state, event.data.proposalId, 'expired');
    case 'PriceNoticeGiven': {
      const { subscriptionId: _subscriptionId, ...notice } = event.data;
      return { ...state, priceNotice: { ...notice, isWithdrawn: false, isDue: false } };
    }
    case 'PriceNoticeWithdrawn':
      return withNotice(state, event.data.announcementId, { isWithdrawn: true });
    case 'AnnouncedPriceDue':
      return withNotice(state, event.data.announcementId, { isDue: true });
    case 'RenewalNoticeDue':
    case 'CardNoticeDue':
    case 'DriftDetected':
      return state;
    case 'MoneyFindingOpened':
      return { ...state, finding: findingIn(event.data) };
    case 'MoneyFindingClosed':
      return { ...state, finding: null };
    case 'MoneyFindingAccepted':
      return { ...state, finding: null, acceptedFinding: findingIn(event.data) };
    case 'EntitlementChanged':
      return { ...state, published: event.data };
    default:
      return event satisfies never;
  }
};
