import { describe, expect, it } from '@jest/globals';
import { linkIds, shortId } from './linked-text.ts';

const account = '8496f4d2-b827-5f9d-ae7f-0112e55295ed';

describe('ids in what the timeline says', () => {
  it('refer to objects of Stripe and to accounts', () => {
    const text = `Purchase sub_1QzFbk2eZvKYlo2C transferred to account ${account} by support`;
    expect(linkIds(text, 'PaymentTransferred')).toEqual([
      { text: 'Purchase ', isMain: false, reference: null },
      {
        text: 'sub_…lo2C',
        isMain: false,
        reference: { kind: 'stripe', id: 'sub_1QzFbk2eZvKYlo2C' },
      },
      { text: ' transferred to account ', isMain: false, reference: null },
      { text: shortId(account), isMain: false, reference: { kind: 'account', id: account } },
      { text: ' by support', isMain: false, reference: null },
    ]);
  });

  it('refer to strategies in the events of favourites only', () => {
    const text = 'Strategy Demo0Ct2 added to the favourites';
    expect(linkIds(text, 'FavouriteAdded')[1]?.reference).toEqual({ kind: 'strategy', id: 'Demo0Ct2' });
    expect(linkIds(text, 'NoteAdded')).toEqual([{ text, isMain: false, reference: null }]);
  });

  it('are no other words', () => {
    const text = 'Renewed, paid until Mar 3, 2027; change_plan in_ and login_hint stay words';
    expect(linkIds(text, 'MembershipRenewed')).toEqual([{ text, isMain: false, reference: null }]);
  });

  it('are shortened when they are long', () => {
    expect(['sub_1', 'evt_JBSKaDyDnG6OuEF5aYptI21f'].map(shortId)).toEqual(['sub_1', 'evt_…I21f']);
  });
});
