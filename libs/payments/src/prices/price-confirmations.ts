import { DomainError } from '@tapedeck/kernel';
import { billingPeriods, paidTiers } from '@tapedeck/plans/contract';
import * as z from 'zod';
import { signedTexts, type SignedTexts } from '../http/signed-texts.ts';

const ShownPrice = z.object({
  tier: z.enum(paidTiers),
  period: z.enum(billingPeriods),
  from: z.string(),
  /** Of all that was shown. */
  hash: z.string(),
  /** To whom. */
  by: z.string(),
  /** Two of the same content are two announcements. */
  nonce: z.string(),
  expiresAt: z.string(),
});
/** What was shown to an admin before an announcement. */
export type ShownPrice = z.infer<typeof ShownPrice>;

/** `open` throws PREVIEW_EXPIRED. */
export type PriceConfirmations = SignedTexts<ShownPrice>;

/** For Nest: the `PriceConfirmations`. */
export const PRICE_CONFIRMATIONS = Symbol('PriceConfirmations');

export const createPriceConfirmations = (secret: string): PriceConfirmations =>
  signedTexts({
    secret,
    purpose: 'tapedeck announcements of prices',
    schema: ShownPrice,
    refusal: () =>
      new DomainError(
        'conflict',
        'PREVIEW_EXPIRED',
        'This was shown too long ago and may have changed, and nothing was announced: look at it again, then confirm.',
      ),
  });

/** @throws DomainError PREVIEW_CHANGED */
export const assertPriceUnchanged = (
  { hash, by }: ShownPrice,
  now: Pick<ShownPrice, 'hash' | 'by'>,
): void => {
  if (hash === now.hash && by === now.by) return;
  throw new DomainError(
    'conflict',
    'PREVIEW_CHANGED',
    'What you have seen has changed in the meantime, and nothing was announced: look at it again, then confirm.',
  );
};
