import { readable, readEvents, stateAfterSealed, unsealRows } from '@tapedeck/eventing';
import { accountId } from '@tapedeck/kernel';
import { membershipEvents, membershipStream } from '@tapedeck/membership/events';
import { accessAt, evolveMembership, noMembership } from '@tapedeck/membership/rules';
import type { FoundMember } from '../contract.ts';
import type { PersonRow } from '../projections/people-rows.ts';
import type { AuditReads } from './audit-reads.ts';
import { nameOf } from './show-member.ts';

export type MemberWithTier = Omit<FoundMember, 'matched'>;

type NamedRow = Pick<PersonRow, 'account_id' | 'email' | 'first_name' | 'last_name'>;

/** What the member has now: from the events, which are newer than every read model. */
const tierOf = async (
  { store }: Pick<AuditReads, 'store'>,
  id: string,
  now: string,
): Promise<Pick<FoundMember, 'tier' | 'status'>> => {
  const stream = membershipStream(accountId(id));
  const events = await readEvents(store, stream, membershipEvents, { form: 'sealed' });
  const membership = stateAfterSealed({ initialState: noMembership, evolve: evolveMembership }, events);
  const { tier, status } = accessAt(membership, now);
  return { tier, status };
};

/** People with the tiers of their memberships, in the order of their rows. */
export const membersWithTier = async (
  reads: Pick<AuditReads, 'store'>,
  rows: readonly NamedRow[],
  now: string,
): Promise<MemberWithTier[]> => {
  const opened = await unsealRows(reads.store, rows, ['email', 'first_name', 'last_name']);
  return Promise.all(
    opened.map(async (row) => ({
      accountId: row.account_id,
      email: readable(row.email, null),
      name: nameOf(readable(row.first_name, null), readable(row.last_name, null)),
      ...(await tierOf(reads, row.account_id, now)),
    })),
  );
};
