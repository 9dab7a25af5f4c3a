import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import { liveSubscriptionsOf, noSubscription } from '../projections/subscriptions.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** Opens Stripe's page of an invoice that is to be paid or confirmed, with whichever card; returns its address. */
export class OpenPaymentPage extends Command<string> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

const nothingToPay = (): DomainError =>
  new DomainError('conflict', 'NOTHING_TO_PAY', 'Nothing is to be paid at the moment: load the page again.');

@CommandHandler(OpenPaymentPage)
export class OpenPaymentPageHandler implements ICommandHandler<OpenPaymentPage> {
  readonly #databases: Databases;
  readonly #stripe: Pick<StripeReads, 'payPage'>;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(STRIPE) stripe: Pick<StripeReads, 'payPage'>) {
    this.#databases = databases;
    this.#stripe = stripe;
  }

  async execute({ accountId }: OpenPaymentPage): Promise<string> {
    const ids = await liveSubscriptionsOf(this.#databases.tapedeck, accountId);
    if (ids.length === 0) throw noSubscription();
    // Of several the unpaid one need not be the first.
    for (const id of ids) {
      const page = await this.#stripe.payPage(id);
      if (page !== null) return page;
    }
    throw nothingToPay();
  }
}
