import { isPaidByAnother, type Failure, type Subscription } from './subscription.ts';

const wrongDetails = 'the details of the card are wrong';
const limitReached = 'the card has reached its limit';
const notConfirmed = 'your bank wants you to confirm it';

/** By Stripe's codes, each the rest of a sentence. */
const clauses: ReadonlyMap<string, string> = new Map([
  ['insufficient_funds', 'the card does not have enough money on it'],
  ['expired_card', 'the card has expired'],
  ['incorrect_cvc', wrongDetails],
  ['invalid_cvc', wrongDetails],
  ['incorrect_number', wrongDetails],
  ['invalid_number', wrongDetails],
  ['invalid_expiry_month', wrongDetails],
  ['invalid_expiry_year', wrongDetails],
  ['incorrect_address', wrongDetails],
  ['incorrect_zip', wrongDetails],
  ['card_not_supported', 'the card does not allow this payment'],
  ['currency_not_supported', 'the card does not allow payments in this currency'],
  ['card_velocity_exceeded', limitReached],
  ['withdrawal_count_limit_exceeded', limitReached],
  ['authentication_required', notConfirmed],
  ['authentication_not_handled', notConfirmed],
  ['payment_intent_authentication_failure', notConfirmed],
  ['issuer_not_available', 'the bank could not be reached'],
  ['processing_error', 'the bank could not process it'],
  ['try_again_later', 'the bank could not process it'],
]);

/**
 * Of everything else, and where no code is known. Stripe asks not to tell the holder of a card that was lost, stolen or is
 * suspected of fraud.
 */
const declined = 'the card was declined';

type Decline = Pick<Failure, 'needsAction' | 'declineCode'>;
type Payer = Pick<Subscription, 'owner' | 'payer'>;

/**
 * Why a payment failed, as the owner of the subscription reads it: the rest of a sentence, such as `the card has expired`. The
 * card of another person is not spoken of.
 */
export const declineClause = ({ needsAction, declineCode }: Decline, subscription: Payer): string => {
  if (isPaidByAnother(subscription)) return declined;
  return needsAction ? notConfirmed : (clauses.get(declineCode ?? '') ?? declined);
};

/** The same as the beginning of a sentence. */
export const declineText = (decline: Decline, subscription: Payer): string => {
  const clause = declineClause(decline, subscription);
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;
};
