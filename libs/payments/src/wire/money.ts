import * as z from 'zod';

const Time = z.iso.datetime().meta({ description: 'ISO 8601 UTC' });
/** The page of Stripe's dashboard that shows it. */
const StripeUrl = z.string();
const SubscriptionId = z.string().regex(/^sub_\w{1,100}$/, 'must be the id of a subscription');
const InvoiceId = z.string().regex(/^in_\w{1,100}$/, 'must be the id of an invoice');
/** In minor units. */
const Amount = z.number().int();

export const maxMoneyReasonLength = 500;
const Reason = z.string().trim().min(3).max(maxMoneyReasonLength);

export const endRefunds = ['nothing', 'unused', 'all'] as const;

/** What support wants to do about a purchase. */
export const WantedAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refund'), invoiceId: InvoiceId, amount: Amount.min(1).max(999_999_999) }),
  /** At the end of the period. */
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.literal('resume') }),
  z.object({ kind: z.literal('end'), refund: z.enum(endRefunds) }),
  z.object({ kind: z.literal('retry'), invoiceId: InvoiceId }),
  /** Gives a purchase without an owner to the member. */
  z.object({ kind: z.literal('attach') }),
  z.object({ kind: z.literal('transfer'), toAccountId: z.uuid() }),
]);
export type WantedAction = z.infer<typeof WantedAction>;
export type MoneyActionKind = WantedAction['kind'];

export const PreviewActionBody = z
  .object({ subscriptionId: SubscriptionId, action: WantedAction })
  .meta({ id: 'PreviewActionBody' });
export type PreviewActionBody = z.infer<typeof PreviewActionBody>;

const MemberAccess = z.object({ tier: z.string(), status: z.string(), until: Time.nullable() });

/** What an action would do, as it is shown before it is confirmed. */
export const ActionPreview = z
  .object({
    subscriptionId: z.string(),
    action: WantedAction,
    currency: z.string(),
    /** What goes back, and what could of each payment. */
    refunds: z.array(z.object({ invoiceId: z.string(), amount: Amount, refundable: Amount })),
    /** The sum of them. */
    refunded: Amount,
    /** What is charged; null when nothing is. */
    charged: Amount.nullable(),
    /** That is charged, now or at renewals of what a new owner gets, who does not see it; null where it makes no difference. */
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    /** When the subscription ends by it; null when it goes on. */
    endsAt: Time.nullable(),
    /** What it does to the access of each account. */
    access: z.array(
      z.object({
        accountId: z.uuid(),
        accountName: z.string().nullable(),
        before: MemberAccess,
        after: MemberAccess,
      }),
    ),
    /** Above `limit` it becomes a proposal, which another admin approves. */
    needsApproval: z.boolean(),
    limit: Amount,
    /** Send it with the confirmation, so that exactly what was shown is done. */
    previewId: z.string(),
    expiresAt: Time,
  })
  .meta({ id: 'ActionPreview' });
export type ActionPreview = z.infer<typeof ActionPreview>;

/** The preview says what is confirmed; it can be confirmed once. */
export const ConfirmActionBody = z
  .object({ previewId: z.string().max(2_000), reason: Reason })
  .meta({ id: 'ConfirmActionBody' });
export type ConfirmActionBody = z.infer<typeof ConfirmActionBody>;

/**
 * `done`: Stripe has confirmed it. `processing`: it will be done. `refused`: Stripe has refused it, or a part of it.
 * `proposed`: it waits for another admin.
 */
export const ActionOutcome = z
  .object({
    state: z.enum(['done', 'processing', 'refused', 'proposed']),
    message: z.string(),
  })
  .meta({ id: 'ActionOutcome' });
export type ActionOutcome = z.infer<typeof ActionOutcome>;

/** An action that waits for the approval of another admin. */
export const MoneyProposal = z.object({
  proposalId: z.uuid(),
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: z.uuid(),
  accountName: z.string().nullable(),
  kind: z.enum(['refund', 'end']),
  /** What went back when it was proposed. */
  refunded: Amount,
  /** What counts for the limit. */
  stake: Amount,
  currency: z.string(),
  proposedBy: z.uuid(),
  proposedByName: z.string().nullable(),
  /** Null once it is forgotten. */
  reason: z.string().nullable(),
  proposedAt: Time,
  expiresAt: Time,
  /** Whether the reader has proposed it, and so cannot approve it. */
  isOwn: z.boolean(),
  mayApprove: z.boolean(),
  mayReject: z.boolean(),
});
export type MoneyProposal = z.infer<typeof MoneyProposal>;

/** Of one member; of all when absent. */
export const ProposalsQuery = z.object({ accountId: z.uuid().optional() });
export type ProposalsQuery = z.infer<typeof ProposalsQuery>;

export const maxProposals = 100;
export const MoneyProposals = z
  .object({ count: z.number().int(), items: z.array(MoneyProposal) })
  .meta({ id: 'MoneyProposals' });
export type MoneyProposals = z.infer<typeof MoneyProposals>;

export const ProposalBody = z.object({ subscriptionId: SubscriptionId }).meta({ id: 'ProposalBody' });
export type ProposalBody = z.infer<typeof ProposalBody>;
export const RejectProposalBody = z
  .object({ subscriptionId: SubscriptionId, reason: Reason })
  .meta({ id: 'RejectProposalBody' });
export type RejectProposalBody = z.infer<typeof RejectProposalBody>;

export const AbandonBody = z
  .object({ subscriptionId: SubscriptionId, requestId: z.uuid(), reason: Reason })
  .meta({ id: 'AbandonBody' });
export type AbandonBody = z.infer<typeof AbandonBody>;

const MoneyPayment = z.object({
  invoiceId: z.string(),
  stripeUrl: StripeUrl,
  paidAt: Time,
  amount: Amount,
  refunded: Amount,
  /** What can still be given back. */
  refundable: Amount,
  isDisputed: z.boolean(),
  text: z.string(),
});
export type MoneyPayment = z.infer<typeof MoneyPayment>;

/** The newest failed attempt to pay an open invoice. */
const OpenInvoice = z.object({
  invoiceId: z.string(),
  stripeUrl: StripeUrl,
  /** Null where it is not known: Stripe's invoice is recorded when it is paid. */
  amount: Amount.nullable(),
  attempt: z.number().int(),
  failedAt: Time,
  nextAttemptAt: Time.nullable(),
  /** Stripe's code of the refusal; null where it gave none. */
  declineCode: z.string().nullable(),
  /** What the member reads about it, without a full stop. */
  reason: z.string(),
  /** Whether it is being tried now. */
  isTrying: z.boolean(),
});

/** What support has requested of Stripe, while it is not done. */
const MoneyRequest = z.object({
  requestId: z.string(),
  kind: z.string(),
  amount: Amount.nullable(),
  /** Stripe's code of a refusal; null while it is under way. */
  code: z.string().nullable(),
});

const MoneySubscription = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  tier: z.string().nullable(),
  period: z.string().nullable(),
  phase: z.string(),
  amount: Amount,
  currency: z.string(),
  paidUntil: Time.nullable(),
  endsAt: Time.nullable(),
  endedAt: Time.nullable(),
  isDisputed: z.boolean(),
  /** Whether all of it is being given back. */
  isReturned: z.boolean(),
  /** What can be done with it as a whole. */
  actions: z.array(z.enum(['cancel', 'resume', 'end', 'transfer'])),
  /** The newest first. */
  payments: z.array(MoneyPayment),
  openInvoices: z.array(OpenInvoice),
  requests: z.array(MoneyRequest),
});
export type MoneySubscription = z.infer<typeof MoneySubscription>;

const UnclaimedPurchase = z.object({
  subscriptionId: z.string(),
  /** Masked; null once it is forgotten. */
  email: z.string().nullable(),
  tier: z.string(),
  period: z.string(),
  paidAt: Time,
  /** Whether the member’s own address has paid. */
  isOwnAddress: z.boolean(),
});

/** What a member has bought, and what support can do about it. */
export const MemberMoney = z
  .object({
    /** Those that belong to the member; live ones first. */
    subscriptions: z.array(MoneySubscription),
    /** Purchases without an owner, of anybody: those of the member’s own address first. */
    unclaimed: z.array(UnclaimedPurchase),
    limit: Amount,
    currency: z.string(),
  })
  .meta({ id: 'MemberMoney' });
export type MemberMoney = z.infer<typeof MemberMoney>;

export const moneyRoutes = {
  money: (accountId: string) => `/api/admin/members/${accountId}/money`,
  preview: (accountId: string) => `/api/admin/members/${accountId}/money/preview`,
  confirm: (accountId: string) => `/api/admin/members/${accountId}/money`,
  proposals: '/api/admin/money-proposals',
  previewProposal: (proposalId: string) => `/api/admin/money-proposals/${proposalId}/preview`,
  approve: (proposalId: string) => `/api/admin/money-proposals/${proposalId}/approve`,
  reject: (proposalId: string) => `/api/admin/money-proposals/${proposalId}/reject`,
  abandon: '/api/admin/queues/refused/abandon',
} as const;
