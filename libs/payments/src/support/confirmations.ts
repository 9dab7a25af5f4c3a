import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';
import { signedTexts, type SignedTexts } from '../http/signed-texts.ts';
import { WantedAction } from '../wire/money.ts';

const ShownAction = z.object({
  subscriptionId: z.string(),
  accountId: z.string(),
  action: WantedAction,
  /** That is to be approved; null for an action that begins. */
  proposalId: z.string().nullable(),
  /** For which instant it was computed. */
  at: z.string(),
  /** Of all that was shown. */
  hash: z.string(),
  /** To whom. */
  by: z.string(),
  /** Two of the same content can both be confirmed. */
  nonce: z.string(),
  expiresAt: z.string(),
});
/** What was shown to support before an action. */
export type ShownAction = z.infer<typeof ShownAction>;

/** `open` throws PREVIEW_EXPIRED. */
export type Confirmations = SignedTexts<ShownAction>;

/** For Nest: the `Confirmations`. */
export const CONFIRMATIONS = Symbol('Confirmations');

export const createConfirmations = (secret: string): Confirmations =>
  signedTexts({
    secret,
    purpose: 'tapedeck actions of support',
    schema: ShownAction,
    refusal: () =>
      new DomainError(
        'conflict',
        'PREVIEW_EXPIRED',
        'This was shown too long ago and may have changed, and nothing was done: look at it again, then confirm.',
      ),
  });

type Confirmation = Pick<ShownAction, 'accountId' | 'proposalId' | 'by'>;

/**
 * It was shown to the same person, for the same member or proposal.
 * @throws DomainError PREVIEW_OF_ANOTHER_ACTION
 */
export const assertShownFor = (shown: ShownAction, { accountId, proposalId, by }: Confirmation): void => {
  if (shown.accountId === accountId && shown.proposalId === proposalId && shown.by === by) return;
  throw new DomainError(
    'conflict',
    'PREVIEW_OF_ANOTHER_ACTION',
    'What was shown is a different action, and nothing was done: look at it again, then confirm.',
  );
};

/** @throws DomainError PREVIEW_CHANGED */
export const assertUnchanged = (shown: ShownAction, { hash }: Readonly<{ hash: string }>): void => {
  if (shown.hash === hash) return;
  throw new DomainError(
    'conflict',
    'PREVIEW_CHANGED',
    'What you have seen has changed in the meantime, and nothing was done: look at it again, then confirm.',
  );
};
