import { describe, expect, it } from '@jest/globals';
import { fieldName, targetText, valueText } from './replay-words.ts';

describe('the words of a replay', () => {
  it('say what a field was and is as people read it', () => {
    expect(fieldName('paid_until')).toBe('Paid until');
    expect(valueText('paid_until', '2027-02-03T18:03:00+00:00')).toBe('Feb 3, 2027, 18:03');
    expect(valueText('amount', '7499')).toBe('$74.99');
    expect(valueText('is_disputed', 'false')).toBe('no');
    expect(valueText('tier', 'Pro')).toBe('Pro');
    expect(valueText('tier', null)).toBe('—');
  });

  it('name the member where the name is known', () => {
    const target = { kind: 'member', accountId: 'a1' } as const;
    expect(targetText(target, 'ann@example.com')).toBe('ann@example.com');
    expect(targetText(target)).toBe('Member a1');
  });
});
