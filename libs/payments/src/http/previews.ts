import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';
import { billingPeriods, isSamePlan, paidTiers } from '@tapedeck/plans/contract';
import { signedTexts, type SignedTexts } from './signed-texts.ts';

const Preview = z.object({
  subscriptionId: z.string(),
  tier: z.enum(paidTiers),
  period: z.enum(billingPeriods),
  prorationDate: z.string(),
  dueNow: z.number().int(),
  expiresAt: z.string(),
});
/** What was shown to a member before a change. */
export type Preview = z.infer<typeof Preview>;

/** For Nest: the `Previews`. */
export const PREVIEWS = Symbol('Previews');

/** Previews as signed texts, so that exactly what was shown is charged. `open` throws PREVIEW_EXPIRED. */
export type Previews = SignedTexts<Preview>;

const expired = (): DomainError =>
  new DomainError(
    'conflict',
    'PREVIEW_EXPIRED',
    'The price was shown too long ago and may have changed: look at it again, then confirm.',
  );

/**
 * What was shown is the change that is made now: the same plan of the same subscription. The amount is compared by Stripe.
 * @throws DomainError PREVIEW_OF_ANOTHER_CHANGE
 */
export const assertShown = (shown: Preview, current: Preview): void => {
  if (shown.subscriptionId === current.subscriptionId && isSamePlan(shown, current)) return;
  throw new DomainError(
    'conflict',
    'PREVIEW_OF_ANOTHER_CHANGE',
    'What was shown is a different change: look at it again, then confirm.',
  );
};

export const createPreviews = (secret: string): Previews =>
  signedTexts({
    secret,
    purpose: 'tapedeck previews of changes',
    schema: Preview,
    refusal: expired,
  });
