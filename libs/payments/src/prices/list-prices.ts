import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, readEvents, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type pg from 'pg';
import {
  firstDayAfter,
  priceChangeEvents,
  priceStream,
  withdrawableUntil,
  type PriceChangeAnnounced,
  type PriceChangeEvent,
} from '../domain/price-change.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import type { AnnouncedPrices } from '../wire/prices.ts';
import { planPrices, type PlanPrice } from './plan-prices.ts';
import { formerAmountsOf } from './planned-price.ts';

/** What the plans cost, what members on former prices pay, and what was announced to them. */
export class ListPrices extends Query<AnnouncedPrices> {}

type Announcement = AnnouncedPrices['plans'][number]['announcement'];
type NotifiedRow = Readonly<{ notified: number; changed: number }>;

const notifiedSql = `
  select count(*)::integer as notified, count(*) filter (where s.amount = $2)::integer as changed
    from price_notices n left join queued_subscriptions s using (subscription_id)
   where n.announcement_id = $1`;

const isAnnounced = (event: RecordedEvent<PriceChangeEvent>): event is RecordedEvent<PriceChangeAnnounced> =>
  event.type === 'PriceChangeAnnounced';

@QueryHandler(ListPrices)
export class ListPricesHandler implements IQueryHandler<ListPrices> {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #prices: readonly PlanPrice[];
  readonly #noticeDays: number;
  readonly #accounts: AccountNames;

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
    this.#prices = planPrices(config);
    this.#noticeDays = config.PRICE_NOTICE_DAYS;
    this.#accounts = accounts;
  }

  async execute(): Promise<AnnouncedPrices> {
    const formerAmounts = await formerAmountsOf(this.#pool, this.#prices);
    const plans = await Promise.all(
      this.#prices.map(async (price) => {
        const { tier, period, amount, currency } = price;
        const former = [...(formerAmounts.get(price) ?? [])];
        const announcement = await this.#announcement({ tier, period });
        return { tier, period, amount, currency, formerAmounts: former, announcement };
      }),
    );
    const earliestFrom = firstDayAfter(isoNow(this.#clock), this.#noticeDays).slice(0, 10);
    return { plans, noticeDays: this.#noticeDays, earliestFrom };
  }

  async #announcement(plan: Plan): Promise<Announcement> {
    const events = await readEvents(this.#store, priceStream(plan), priceChangeEvents);
    const newest = events.findLast(isAnnounced);
    if (!newest) return null;
    const { announcementId, amount, currency, from, announcedAt, by, reason } = newest.data;
    const isWithdrawn = events.at(-1)?.type === 'PriceChangeWithdrawn';
    const now = isoNow(this.#clock);
    const until = withdrawableUntil(newest.data);
    const { rows } = await this.#pool.query<NotifiedRow>(notifiedSql, [announcementId, amount]);
    const names = await this.#accounts.of([by]);
    return {
      announcementId,
      state: isWithdrawn ? 'withdrawn' : from > now ? 'announced' : 'in-effect',
      amount,
      currency,
      from,
      announcedAt,
      announcedBy: names.get(by) ?? null,
      reason: readable(reason, null),
      notified: rows[0]?.notified ?? 0,
      changed: rows[0]?.changed ?? 0,
      withdrawableUntil: isWithdrawn || until <= now ? null : until,
    };
  }
}
