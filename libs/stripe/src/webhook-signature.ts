import { DomainError } from '@tapedeck/kernel';
import { Stripe } from 'stripe';

/** A signature is valid for so long, so that a copied request cannot be sent again later. */
const toleranceSeconds = 300;

const invalid = (): DomainError =>
  new DomainError(
    'invalid',
    'WEBHOOK_SIGNATURE_INVALID',
    'The signature of this webhook is missing, too old or of another secret: check STRIPE_WEBHOOK_SECRET.',
  );

/**
 * Checks the signature of a webhook over its bytes, with each of the secrets that are valid now.
 * @throws DomainError WEBHOOK_SIGNATURE_INVALID
 */
export const assertSigned = (
  body: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): void => {
  if (signature === undefined) throw invalid();
  const isSigned = secrets.some((secret) => {
    try {
      const { webhooks } = Stripe;
      const { signature: signatures } = webhooks;
      return signatures?.verifyHeader(body, signature, secret, toleranceSeconds, undefined, nowMs) ?? false;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
      throw error;
    }
  });
  if (!isSigned) throw invalid();
};
