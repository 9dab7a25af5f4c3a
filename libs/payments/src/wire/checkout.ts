import * as z from 'zod';
import { PaidTierName, Period } from './plan-names.ts';

// Not linear: bodies are limited in size, and the length is checked first (docs/product-decisions.md#texts-with-placeholders).
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
export const Email = z.string().max(254).regex(emailPattern, 'Please enter a valid email address');

/** Optional: absent means monthly (docs/product-decisions.md#period-of-a-checkout). */
export const CheckoutBody = z.object({ period: Period.optional() }).optional().meta({ id: 'CheckoutBody' });
export type CheckoutBody = z.infer<typeof CheckoutBody>;

export const AnonymousCheckoutBody = z.object({ email: Email }).meta({ id: 'AnonymousCheckoutBody' });
export type AnonymousCheckoutBody = z.infer<typeof AnonymousCheckoutBody>;

export const Checkout = z.object({ checkoutUrl: z.string() }).meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof Checkout>;

/** `returned`: it was paid, and goes back as a whole. Nothing was charged where it `failed` or `expired`. */
export const PaymentState = z.enum(['processing', 'paid', 'returned', 'failed', 'expired']);
export type PaymentState = z.infer<typeof PaymentState>;

export const PaymentVerification = z
  .object({
    success: z.boolean(),
    state: PaymentState,
    tier: PaidTierName,
    period: Period,
    /** For the browser and the account that have bought; otherwise null. */
    email: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    /** Whether the purchase has an owner. */
    claimed: z.boolean(),
    /** Whether that is the account that is signed in. */
    isOwner: z.boolean(),
    /** For the owner: what the purchase gives now; null when it gives nothing, or not all is paid. */
    grantedTier: PaidTierName.nullable(),
    /** Another account has claimed it by its mailbox; this browser has paid, and may take it over. */
    canTakeOver: z.boolean(),
  })
  .meta({ id: 'PaymentVerification' });
export type PaymentVerification = z.infer<typeof PaymentVerification>;

/** Both are hints: the claim secret in a cookie, or a proved mailbox, is what counts. */
export const LinkPaymentBody = z
  .object({ sessionId: z.string().max(200).optional(), paymentEmail: z.string().max(254).optional() })
  .meta({ id: 'LinkPaymentBody' });
export type LinkPaymentBody = z.infer<typeof LinkPaymentBody>;

export const LinkedPayment = z
  .object({ emailTransferred: z.boolean(), to: z.string(), tier: PaidTierName })
  .meta({ id: 'LinkedPayment' });
export type LinkedPayment = z.infer<typeof LinkedPayment>;

export const ClaimCodeBody = z.object({ email: Email }).meta({ id: 'ClaimCodeBody' });
export type ClaimCodeBody = z.infer<typeof ClaimCodeBody>;

/** The same answer for every address. */
export const ClaimCodeSent = z
  .object({ message: z.string(), expiresAt: z.string() })
  .meta({ id: 'ClaimCodeSent' });
export type ClaimCodeSent = z.infer<typeof ClaimCodeSent>;

export const ClaimBody = z
  .object({ code: z.string().regex(/^\d{6}$/, 'must be the six digits from the e-mail') })
  .meta({ id: 'ClaimBody' });
export type ClaimBody = z.infer<typeof ClaimBody>;
