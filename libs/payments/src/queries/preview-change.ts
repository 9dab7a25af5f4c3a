import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readStates, type ReadStream, type EventStore } from '@tapedeck/eventing';
import { DomainError, isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { subscriptions } from '../domain/decide-subscription.ts';
import { assertOwnCard } from '../domain/stripe-requests.ts';
import { subscribedPlanOf } from '../domain/entitlement.ts';
import type { ChangePreview } from '../contract.ts';
import { changeKind, type Plan } from '@tapedeck/plans/contract';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { planPrices, type PlanPrice } from '../prices/plan-prices.ts';
import { PREVIEWS, type Previews } from '../http/previews.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import { liveSubscriptionOf, noSubscription } from '../projections/subscriptions.ts';
import type { PaymentsApiConfig } from '../settings.ts';

/** What a change of plan would cost, and when. */
export class PreviewChange extends Query<ChangePreview> {
  constructor(
    readonly accountId: AccountId,
    readonly plan: Plan,
  ) {
    super();
  }
}

/** Prices and the unused part of the period change with time. */
const validMs = 15 * 60_000;

const unchanged = (): DomainError =>
  new DomainError('conflict', 'PLAN_UNCHANGED', 'You have this plan already: choose another one.');

@QueryHandler(PreviewChange)
export class PreviewChangeHandler implements IQueryHandler<PreviewChange> {
  readonly #databases: Databases;
  readonly #stripe: StripeReads;
  readonly #read: ReadStream;
  readonly #previews: Previews;
  readonly #clock: Clock;
  readonly #prices: readonly PlanPrice[];

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(STRIPE) stripe: StripeReads,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PREVIEWS) previews: Previews,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
  ) {
    this.#databases = databases;
    this.#stripe = stripe;
    this.#read = readStates(store);
    this.#previews = previews;
    this.#clock = clock;
    this.#prices = planPrices(config);
  }

  async execute({ accountId, plan }: PreviewChange): Promise<ChangePreview> {
    const subscriptionId = await liveSubscriptionOf(this.#databases.tapedeck, accountId);
    if (subscriptionId === undefined) throw noSubscription();
    const state = await this.#read(subscriptions, subscriptionStream(subscriptionId));
    const { observed } = state;
    const current = subscribedPlanOf(state);
    if (!observed || !current) throw noSubscription();
    const kind = changeKind(current, plan);
    if (kind === 'upgrade') assertOwnCard(state);
    if (kind === 'none') throw unchanged();
    const figures =
      kind === 'upgrade'
        ? await this.#stripe.previewChange(subscriptionId, plan)
        : {
            dueNow: 0,
            credit: 0,
            nextAmount: this.#amountOf(plan),
            nextAt: observed.periodEnd,
            currency: observed.currency,
            prorationDate: isoNow(this.#clock),
          };
    const { prorationDate, dueNow, ...shown } = figures;
    const expiresAt = new Date(this.#clock.now() + validMs).toISOString();
    const { tier, period } = plan;
    return {
      kind,
      tier,
      period,
      dueNow,
      ...shown,
      previewId: this.#previews.sign({ subscriptionId, tier, period, prorationDate, dueNow, expiresAt }),
      expiresAt,
    };
  }

  #amountOf({ tier, period }: Plan): number {
    return this.#prices.find((price) => price.tier === tier && price.period === period)?.amount ?? 0;
  }
}
