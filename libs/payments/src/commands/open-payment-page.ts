import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import { liveSubscriptionsOf } from '../projections/subscriptions.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** The address of Stripe's page of an invoice that is to be paid or confirmed, with whichever card; null without one. */
export class OpenPaymentPage extends Command<string | null> {
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

  async execute({ accountId, subscriptionId }: OpenPaymentPage): Promise<string | null> {
    const live = await liveSubscriptionsOf(this.#databases.tapedeck, accountId);
    const ids = subscriptionId === undefined ? live : live.filter((id) => id === subscriptionId);
    // Of several the unpaid one need not be the first.
    for (const id of ids) {
      const page = await this.#stripe.payPage(id);
      if (page !== null) return page;
    }
    return null;
  }
}
