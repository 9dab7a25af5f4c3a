import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import type { InvoiceLinks } from '../contract.ts';

/** Where the payer can see an invoice. */
export class ShowInvoice extends Query<InvoiceLinks> {
  constructor(
    readonly accountId: AccountId,
    readonly invoiceId: string,
  ) {
    super();
  }
}

/** Other texts are no ids, and some cannot be sent to a database. */
const idPattern = /^\w{1,100}$/;

/** Not what another person has paid: an invoice names them. */
const ownSql = `
  select 1 from payments p join purchase_payers s using (subscription_id)
   where s.account_id = $1 and p.invoice_id = $2`;

const noInvoice = (): DomainError =>
  new DomainError('not-found', 'NO_SUCH_INVOICE', 'Your account has no such invoice: reload the page.');

@QueryHandler(ShowInvoice)
export class ShowInvoiceHandler implements IQueryHandler<ShowInvoice> {
  readonly #databases: Databases;
  readonly #stripe: Pick<StripeReads, 'invoicePages'>;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(STRIPE) stripe: Pick<StripeReads, 'invoicePages'>,
  ) {
    this.#databases = databases;
    this.#stripe = stripe;
  }

  /** Read when it is asked for: Stripe's addresses end after some weeks, and open without a sign-in. */
  async execute({ accountId, invoiceId }: ShowInvoice): Promise<InvoiceLinks> {
    if (!idPattern.test(invoiceId)) throw noInvoice();
    const { rowCount } = await this.#databases.tapedeck.query(ownSql, [accountId, invoiceId]);
    if (!rowCount) throw noInvoice();
    return this.#stripe.invoicePages(invoiceId);
  }
}
