import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readStates, type EventStore } from '@tapedeck/eventing';
import { isoNow, newId, type AccountId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { PaymentsApiConfig } from '../settings.ts';
import { shownForMs } from '../http/signed-texts.ts';
import type { PreviewPriceBody, PricePreview } from '../wire/prices.ts';
import { planPrices } from './plan-prices.ts';
import { hashOfPrice, plannedPrice, type PlannedPriceParts } from './planned-price.ts';
import { PRICE_CONFIRMATIONS, type PriceConfirmations } from './price-confirmations.ts';

/** What an announcement would say, and to how many. */
export class PreviewPrice extends Query<PricePreview> {
  constructor(
    readonly wanted: PreviewPriceBody,
    /** Who sees it, and can confirm it. */
    readonly by: AccountId,
  ) {
    super();
  }
}

/** A day begins at midnight, UTC. */
const midnightOf = (date: string): string => `${date}T00:00:00.000Z`;

@QueryHandler(PreviewPrice)
export class PreviewPriceHandler implements IQueryHandler<PreviewPrice> {
  readonly #parts: PlannedPriceParts;
  readonly #confirmations: PriceConfirmations;
  readonly #clock: Clock;

  constructor(
    @Inject(DATABASES) { tapedeck: pool }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PRICE_CONFIRMATIONS) confirmations: PriceConfirmations,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
  ) {
    const { PRICE_NOTICE_DAYS: noticeDays } = config;
    this.#parts = { pool, read: readStates(store), prices: planPrices(config), noticeDays };
    this.#confirmations = confirmations;
    this.#clock = clock;
  }

  async execute({ wanted: { tier, period, from: date }, by }: PreviewPrice): Promise<PricePreview> {
    const from = midnightOf(date);
    const planned = await plannedPrice({ tier, period }, from, isoNow(this.#clock), this.#parts);
    const { amount, currency, noticeDays } = planned;
    const formerAmounts = [...planned.formerAmounts];
    const expiresAt = new Date(this.#clock.now() + shownForMs).toISOString();
    const shown = { tier, period, from, hash: hashOfPrice(planned), by, nonce: newId(), expiresAt };
    const previewId = this.#confirmations.sign(shown);
    return { tier, period, amount, currency, from, formerAmounts, noticeDays, previewId, expiresAt };
  }
}
