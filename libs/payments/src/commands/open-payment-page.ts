import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { PaymentPage } from '../contract.ts';
import { liveSubscriptionsOf } from '../projections/subscriptions.ts';
import type { PayPage, StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** Stripe's page of an invoice that is to be paid or confirmed, with whichever card. */
export class OpenPaymentPage extends Command<PaymentPage> {
  constructor(
    readonly accountId: AccountId,
    /** Undefined: whichever of the account's subscriptions has one. */
    readonly subscriptionId?: string,
  ) {
    super();
  }
}

@CommandHandler(OpenPaymentPage)
export class OpenPaymentPageHandler implements ICommandHandler<OpenPaymentPage> {
  readonly #databases: Databases;
  readonly #stripe: Pick<StripeReads, 'payPage'>;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(STRIPE) stripe: Pick<StripeReads, 'payPage'>) {
    this.#databases = databases;
    this.#stripe = stripe;
  }

  async execute({ accountId, subscriptionId }: OpenPaymentPage): Promise<PaymentPage> {
    const live = await liveSubscriptionsOf(this.#databases.tapedeck, accountId);
    const ids = subscriptionId === undefined ? live : live.filter((id) => id === subscriptionId);
    const changes: PayPage[] = [];
    // Of several the unpaid one need not be the first, and what is owed comes before a change of the plan.
    for (const id of ids) {
      const page = await this.#stripe.payPage(id);
      if (page?.change === null) return page;
      if (page) changes.push(page);
    }
    return changes[0] ?? { url: null, change: null };
  }
}
