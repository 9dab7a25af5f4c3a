import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, readStates, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import {
  priceChangeDecider,
  priceChangeEvents,
  priceChanges,
  priceStream,
  type PriceChange,
  type PriceChangeCommand,
} from '../domain/price-change.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import { planPrices } from './plan-prices.ts';
import { hashOfPrice, plannedPrice, type PlannedPriceParts } from './planned-price.ts';
import { assertPriceUnchanged, PRICE_CONFIRMATIONS, type PriceConfirmations } from './price-confirmations.ts';

/** Announces what was shown. */
export class AnnouncePrice extends Command<void> {
  constructor(readonly confirmation: Readonly<{ previewId: string; reason: string; by: AccountId }>) {
    super();
  }
}

@CommandHandler(AnnouncePrice)
export class AnnouncePriceHandler implements ICommandHandler<AnnouncePrice> {
  readonly #parts: PlannedPriceParts;
  readonly #confirmations: PriceConfirmations;
  readonly #handle: Handle<PriceChangeCommand, PriceChange>;

  constructor(
    @Inject(DATABASES) { tapedeck: pool }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PRICE_CONFIRMATIONS) confirmations: PriceConfirmations,
    @Inject(CONFIG) config: PaymentsApiConfig,
  ) {
    const { PRICE_NOTICE_DAYS: noticeDays } = config;
    this.#parts = { pool, read: readStates(store), prices: planPrices(config), noticeDays };
    this.#confirmations = confirmations;
    this.#handle = handle(store, priceChangeDecider, priceChangeEvents);
  }

  async execute({ confirmation: { previewId, reason, by } }: AnnouncePrice): Promise<void> {
    const context = requestCommandContext();
    const { now } = context;
    const shown = this.#confirmations.open(previewId, now);
    const { tier, period, from } = shown;
    const plan = { tier, period };
    const announcementId = derivedId('announced price', previewId);
    const stream = priceStream(plan);
    const known = await this.#parts.read(priceChanges, stream);
    // It was confirmed before, and its answer was lost.
    if (known.status !== 'none' && known.announcement.announcementId === announcementId) return;
    const planned = await plannedPrice(plan, from, now, this.#parts);
    assertPriceUnchanged(shown, { hash: hashOfPrice(planned), by });
    const command = { type: 'AnnouncePriceChange', announcementId, ...planned, by, reason, now } as const;
    await this.#handle(stream, command, context);
  }
}
