import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames, type RequestAccount } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { stripePages, type StripePages } from '@tapedeck/stripe/pages';
import type pg from 'pg';
import type { MoneyProposalRow } from '../projections/money-proposals.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import { maxProposals, type MoneyProposal, type MoneyProposals } from '../wire/money.ts';

type Reader = Pick<RequestAccount, 'id' | 'roles'>;

/** What waits for the approval of another admin: of a member, or of all. */
export class ListProposals extends Query<MoneyProposals> {
  constructor(
    readonly reader: Reader,
    readonly accountId: string | null,
  ) {
    super();
  }
}

/** One that has expired is not listed, also before the event says so. */
const proposalsSql = `
  select *, count(*) over () as count from money_proposals
   where expires_at > $1 and ($2::uuid is null or account_id = $2)
   order by proposed_at, proposal_id limit ${maxProposals}`;

type CountedRow = MoneyProposalRow & Readonly<{ count: string }>;

@QueryHandler(ListProposals)
export class ListProposalsHandler implements IQueryHandler<ListProposals> {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #accounts: AccountNames;
  readonly #pageOf: StripePages;

  constructor(
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
    accounts: AccountNames,
  ) {
    this.#pool = tapedeck;
    this.#store = store;
    this.#clock = clock;
    this.#accounts = accounts;
    this.#pageOf = stripePages(config);
  }

  async execute({ reader, accountId }: ListProposals): Promise<MoneyProposals> {
    const { rows } = await this.#pool.query<CountedRow>(proposalsSql, [isoNow(this.#clock), accountId]);
    const opened = await unsealRows(this.#store, rows, ['reason']);
    const names = await this.#accounts.of(
      rows.flatMap(({ account_id: owner, proposed_by: by }) => [owner, by]),
    );
    const isAdmin = reader.roles.includes('admin');
    const items = opened.map((row): MoneyProposal => {
      const isOwn = row.proposed_by === reader.id;
      return {
        proposalId: row.proposal_id,
        subscriptionId: row.subscription_id,
        stripeUrl: this.#pageOf(row.subscription_id),
        accountId: row.account_id,
        accountName: names.get(row.account_id) ?? null,
        kind: row.kind,
        refunded: Number(row.refunded),
        stake: Number(row.stake),
        currency: row.currency,
        proposedBy: row.proposed_by,
        proposedByName: names.get(row.proposed_by) ?? null,
        reason: readable(row.reason, null),
        proposedAt: row.proposed_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        isOwn,
        mayApprove: isAdmin && !isOwn,
        mayReject: isAdmin || isOwn,
      };
    });
    return { count: Number(rows[0]?.count ?? 0), items };
  }
}
