import { describe, expect, it } from '@jest/globals';
import { profileProblems } from './profile-problems.ts';

describe('profileProblems', () => {
  it.each([
    [{ discordEmail: 'a@b.example', tradingViewUsername: ' nora ' }, {}],
    [
      { discordEmail: ' ', tradingViewUsername: '' },
      {
        discordEmail: 'Discord Email is required.',
        tradingViewUsername: 'TradingView Username is required.',
      },
    ],
    [
      { discordEmail: 'nora@example', tradingViewUsername: 'nora' },
      { discordEmail: 'Please enter a valid email address.' },
    ],
    [
      { discordEmail: 'a@b.example', tradingViewUsername: 'n'.repeat(101) },
      { tradingViewUsername: 'Please enter at most 100 characters.' },
    ],
  ])('of %j', (profile, problems) => {
    expect(profileProblems(profile)).toEqual(problems);
  });
});
