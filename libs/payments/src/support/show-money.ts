import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, readStates, unsealRows, type EventStore, type ReadStream } from '@tapedeck/eventing';
import { type AccountId, maskedEmail } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { VerifiedEmail } from '@tapedeck/platform/http';
import { CONFIG, DATABASES, EVENT_STORE, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';
import { stripePages, type StripePages } from '@tapedeck/stripe/pages';
import type pg from 'pg';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { isFinal, type Subscription } from '../domain/subscription.ts';
import { KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';
import type { AnonymousBuyerRow } from '../projections/payment-queue-tables.ts';
import { subscriptionsOf } from '../projections/subscriptions.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import type { MemberMoney } from '../wire/money.ts';
import { moneySubscription } from './money-subscription.ts';

/** What a member has bought, for support. */
export class ShowMoney extends Query<MemberMoney> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

type UnclaimedRow = Readonly<{
  subscription_id: string;
  tier: string;
  period: string;
  paid_at: Date;
  email_hash: string | null;
  email: AnonymousBuyerRow['email'] | null;
}>;

const maxUnclaimed = 100;
const unclaimedSql = `
  select u.subscription_id, u.tier, u.period, u.paid_at, c.email_hash, b.email
    from unclaimed_purchases u
    left join checkouts c using (intent_id) left join queued_buyers b using (intent_id)
   order by (c.email_hash = $1) desc nulls last, u.paid_at desc limit ${maxUnclaimed}`;

const isOwnedBy =
  (account: AccountId) =>
  ({ owner }: Subscription): boolean =>
    owner?.accountId === account;

/** Live ones first, then the newest. */
const orderOf = ({ observed }: Subscription): string =>
  `${observed && !isFinal(observed) ? 1 : 0} ${observed?.startedAt ?? ''}`;

@QueryHandler(ShowMoney)
export class ShowMoneyHandler implements IQueryHandler<ShowMoney> {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #read: ReadStream;
  readonly #hashes: KeyedHashes;
  readonly #verifiedEmail: VerifiedEmail;
  readonly #config: PaymentsApiConfig;
  readonly #pageOf: StripePages;

  constructor(
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
    @Inject(CONFIG) config: PaymentsApiConfig,
  ) {
    this.#pool = tapedeck;
    this.#store = store;
    this.#read = readStates(store);
    this.#hashes = hashes;
    this.#verifiedEmail = verifiedEmail;
    this.#config = config;
    this.#pageOf = stripePages(config);
  }

  async execute({ accountId: account }: ShowMoney): Promise<MemberMoney> {
    const ids = await subscriptionsOf(this.#pool, account);
    const states = await Promise.all(ids.map((id) => this.#read(subscriptions, subscriptionStream(id))));
    const own = states.filter(isOwnedBy(account)).sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
    return {
      subscriptions: own.flatMap((state) => moneySubscription(state, account, this.#pageOf)),
      unclaimed: await this.#unclaimed(account),
      limit: this.#config.APPROVAL_ABOVE_AMOUNT,
      currency: this.#config.CURRENCY,
    };
  }

  async #unclaimed(account: AccountId): Promise<MemberMoney['unclaimed']> {
    const email = await this.#verifiedEmail(account);
    const hash = email === null ? null : this.#hashes.ofEmail(email);
    const { rows } = await this.#pool.query<UnclaimedRow>(unclaimedSql, [hash]);
    const opened = await unsealRows(this.#store, rows, ['email']);
    return opened.map((row) => {
      const address = readable(row.email, null);
      return {
        subscriptionId: row.subscription_id,
        email: address === null ? null : maskedEmail(address),
        tier: row.tier,
        period: row.period,
        paidAt: row.paid_at.toISOString(),
        isOwnAddress: hash !== null && row.email_hash === hash,
      };
    });
  }
}
