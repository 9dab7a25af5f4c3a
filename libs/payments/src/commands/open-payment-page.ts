import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import { liveSubscriptionOf, noSubscription } from '../projections/subscriptions.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** Opens Stripe's page of the invoice that is to be paid or confirmed, with whichever card; returns its address. */
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
    const subscriptionId = await liveSubscriptionOf(this.#databases.tapedeck, accountId);
    if (subscriptionId === undefined) throw noSubscription();
    const page = await this.#stripe.payPage(subscriptionId);
    if (page === null) throw nothingToPay();
    return page;
  }
}
