import { goldenSnapshots } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { accountDecider } from './decide.ts';

const account = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const names = { firstName: 'Jane', lastName: null, profileImageUrl: null };
const person = {
  issuer: 'sandbox',
  subject: 'b42fbbbc',
  email: 'jane@example.com',
  emailVerified: true,
  ...names,
};

goldenSnapshots(accountDecider, new URL('golden-snapshots/account.v2.json', import.meta.url), [
  { type: 'AccountRegistered', data: { accountId: account, ...person } },
  { type: 'EmailChanged', data: { accountId: account, email: 'jd@example.com', emailVerified: false } },
  {
    type: 'ProfileCompleted',
    data: { accountId: account, discordEmail: 'jane@discord.example', tradingViewUsername: 'jane_d' },
  },
  { type: 'RoleGranted', data: { accountId: account, role: 'support', reason: 'new in the team' } },
  { type: 'RoleGranted', data: { accountId: account, role: 'admin', reason: 'on call' } },
  { type: 'RoleRevoked', data: { accountId: account, role: 'support', reason: 'left the team' } },
]);
