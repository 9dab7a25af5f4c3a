import { describe, expect, it } from '@jest/globals';
import { bought, claim, after, byMail } from '../testing/subscription-history.ts';
import { record, snapshot } from '../testing/snapshots.ts';
import { stateAfter } from '@tapedeck/eventing/core';
import { subscriptionDecider } from './decide-subscription.ts';
import { declineClause, declineText } from './decline-texts.ts';

const own = stateAfter(subscriptionDecider, after(bought));
const ofAnother = stateAfter(subscriptionDecider, after(record(snapshot(), byMail), claim()));

const clauseOf = (declineCode: string | null | undefined, needsAction = false): string =>
  declineClause({ needsAction, ...(declineCode === undefined ? {} : { declineCode }) }, own);

describe('why a payment failed', () => {
  it.each([
    ['insufficient_funds', 'the card does not have enough money on it'],
    ['expired_card', 'the card has expired'],
    ['incorrect_cvc', 'the details of the card are wrong'],
    ['card_not_supported', 'the card does not allow this payment'],
    ['withdrawal_count_limit_exceeded', 'the card has reached its limit'],
    ['authentication_required', 'your bank wants you to confirm it'],
    ['issuer_not_available', 'the bank could not be reached'],
  ])('is said of the code %s', (code, clause) => {
    expect(clauseOf(code)).toBe(clause);
  });

  it.each(['lost_card', 'stolen_card', 'pickup_card', 'fraudulent', 'generic_decline', 'constructor'])(
    'stays general for the code %s',
    (code) => {
      expect(clauseOf(code)).toBe('the card was declined');
    },
  );

  it('is general where no code is known, as in older events', () => {
    expect([clauseOf(null), clauseOf(undefined)]).toEqual(['the card was declined', 'the card was declined']);
  });

  it('is the confirmation that the bank asks for, whatever the code', () => {
    expect(clauseOf('generic_decline', true)).toBe('your bank wants you to confirm it');
  });

  it('says nothing of the card of another person', () => {
    const decline = { needsAction: false, declineCode: 'insufficient_funds' };
    expect(declineText(decline, own)).toBe('The card does not have enough money on it');
    expect(declineText(decline, ofAnother)).toBe('The card was declined');
  });
});
