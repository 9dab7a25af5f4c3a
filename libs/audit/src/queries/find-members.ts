import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import { CLOCK } from '@tapedeck/platform/tokens';
import type { FoundMember, FoundMembers } from '../contract.ts';
import type { PersonRow, PurchaseRow } from '../projections/people-rows.ts';
import { AUDIT_READS, type AuditReads } from './audit-reads.ts';
import { findById } from './find-by-id.ts';
import { membersWithTier } from './members-with-tier.ts';
import { PEOPLE_DIRECTORY, type PeopleDirectory } from './people-directory.ts';

export class FindMembers extends Query<FoundMembers> {
  constructor(readonly text: string) {
    super();
  }
}

const maxFound = 20;

type Found = Readonly<{ id: string; matched: string }>;
type FoundPurchase = FoundMembers['purchases'][number];

const peopleSql = `
  select account_id, email, first_name, last_name from audit_people where account_id = any($1::uuid[])`;

const purchasesSql = `
  select p.subscription_id, b.email, p.paid_at, p.refund_at
    from audit_purchases p left join audit_buyers b using (intent_id)
   where p.subscription_id = any($1) and p.is_claimable`;

const byPerson = (matched: string): boolean => matched === 'email' || matched === 'name';

const distinct = (found: readonly Found[]): readonly Found[] =>
  [...new Map(found.toReversed().map((one) => [one.id, one])).values()].toReversed();

@QueryHandler(FindMembers)
export class FindMembersHandler implements IQueryHandler<FindMembers> {
  readonly #reads: AuditReads;
  readonly #directory: PeopleDirectory;
  readonly #clock: Clock;

  constructor(
    @Inject(AUDIT_READS) reads: AuditReads,
    @Inject(PEOPLE_DIRECTORY) directory: PeopleDirectory,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#reads = reads;
    this.#directory = directory;
    this.#clock = clock;
  }

  async execute({ text }: FindMembers): Promise<FoundMembers> {
    const [byId, byText] = await Promise.all([
      findById(this.#reads.pool, text),
      this.#directory.search(text),
    ]);
    const members = distinct([...byId.accounts, ...byText.members]);
    const bought = byId.purchases.map((id) => ({ id, matched: 'subscription' }));
    const purchases = distinct([...bought, ...byText.purchases]);
    return {
      members: await this.#members(members.slice(0, maxFound)),
      purchases: await this.#purchases(purchases.slice(0, maxFound)),
      isComplete: members.length <= maxFound && purchases.length <= maxFound,
    };
  }

  async #members(found: readonly Found[]): Promise<FoundMember[]> {
    if (found.length === 0) return [];
    const { rows } = await this.#reads.pool.query<PersonRow>(peopleSql, [found.map(({ id }) => id)]);
    const members = await membersWithTier(this.#reads, rows, isoNow(this.#clock));
    const byAccount = new Map(members.map((member) => [member.accountId, member]));
    return found.flatMap(({ id, matched }) => {
      const member = byAccount.get(id);
      // A member who was deleted since is not found by what they were called.
      return !member || (member.email === null && byPerson(matched)) ? [] : [{ ...member, matched }];
    });
  }

  async #purchases(found: readonly Found[]): Promise<FoundPurchase[]> {
    const { pool, store } = this.#reads;
    if (found.length === 0) return [];
    const { rows } = await pool.query<PurchaseRow>(purchasesSql, [found.map(({ id }) => id)]);
    const opened = await unsealRows(store, rows, ['email']);
    return opened.map((row) => ({
      subscriptionId: row.subscription_id,
      email: readable(row.email, null),
      paidAt: row.paid_at.toISOString(),
      refundAt: row.refund_at.toISOString(),
    }));
  }
}
