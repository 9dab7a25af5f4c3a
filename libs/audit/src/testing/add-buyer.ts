import type { AccountId } from '@tapedeck/kernel';
import { auditRoutes, FoundMembers } from '../contract.ts';
import type { AuditApi } from './audit-api.ts';
import { eventsOf, newCast, type Cast } from './random-members.ts';

/** A member with one paid purchase, of which Stripe has sent two events. */
export const addBuyer = async (
  api: AuditApi,
  email: string,
): Promise<Readonly<{ member: AccountId; ids: Cast }>> => {
  const member = await api.register(email);
  const ids = { ...newCast(), accounts: [member] };
  for (const what of ['start', 'pay', 'claim', 'stripe: subscription', 'stripe: charge'] as const)
    for (const { stream, type, data } of eventsOf({ what, purchase: 0, account: 0 }, ids))
      await api.add(stream, type, data);
  return { member, ids };
};

export const findMembers = async (api: AuditApi, q: string): Promise<FoundMembers> =>
  FoundMembers.parse((await api.call('GET', `${auditRoutes.find}?q=${encodeURIComponent(q)}`)).body);

export const idsOf = ({ members }: FoundMembers): readonly string[] =>
  members.map(({ accountId }) => accountId);
