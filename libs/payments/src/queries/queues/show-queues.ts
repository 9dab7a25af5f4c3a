import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readStates, type EventStore } from '@tapedeck/eventing';
import { dayMs, isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { stripePages } from '@tapedeck/stripe/pages';
import type { PaymentsApiConfig } from '../../settings.ts';
import type { Queues } from '../../wire/queues.ts';
import { queueTotal } from '../queue-sums.ts';
import { disputesQueue, failedReadsQueue, findingsQueue, mismatchesQueue } from './money-queues.ts';
import type { QueueParts } from './queue-of.ts';
import { refusedQueue, returnsQueue } from './request-queues.ts';
import { duplicatesQueue, unclaimedQueue, unknownPricesQueue } from './subscription-queues.ts';

export class ShowQueues extends Query<Queues> {}

@QueryHandler(ShowQueues)
export class ShowQueuesHandler implements IQueryHandler<ShowQueues> {
  readonly #parts: QueueParts;
  readonly #clock: Clock;

  constructor(
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
    accounts: AccountNames,
  ) {
    this.#parts = { pool: tapedeck, store, read: readStates(store), accounts, pageOf: stripePages(config) };
    this.#clock = clock;
  }

  async execute(): Promise<Queues> {
    const parts = this.#parts;
    const aDayAgo = new Date(this.#clock.now() - dayMs);
    const [total, findings, failedReads, returns, refused] = await Promise.all([
      queueTotal(parts.pool),
      findingsQueue(parts),
      failedReadsQueue(parts),
      returnsQueue(parts),
      refusedQueue(parts),
    ]);
    const [duplicates, unknownPrices, unclaimed, disputes, mismatches] = await Promise.all([
      duplicatesQueue(parts),
      unknownPricesQueue(parts),
      unclaimedQueue(parts),
      disputesQueue(parts),
      mismatchesQueue(parts, aDayAgo),
    ]);
    const money = { findings, failedReads, disputes, mismatches };
    const ofPurchases = { returns, refused, duplicates, unknownPrices, unclaimed };
    return { readAt: isoNow(this.#clock), total, ...money, ...ofPurchases };
  }
}
