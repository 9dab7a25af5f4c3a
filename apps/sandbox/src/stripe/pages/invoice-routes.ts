import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from '../../html.ts';
import { authenticationFailed, cardBehaviour, replaceCard } from '../engine/cards.ts';
import { collect, type Collected } from '../engine/collection.ts';
import { missing } from '../engine/failure.ts';
import { discountOf } from '../engine/invoice-lines.ts';
import type { Invoice } from '../engine/objects.ts';
import type { Service } from '../service.ts';
import { cardChoices, confirmationPage } from './checkout-page.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { showPage, type FormRequest } from './forms.ts';
import { day, done, money, notice, page } from './layout.ts';

const path = '/i/:id';

const linesOf = ({ lines }: Invoice): readonly Html[] =>
  lines.data.map(
    (line) =>
      html`<dt>${line.description ?? ''}</dt>
        <dd>${money(line.amount - discountOf(line))}</dd>`,
  );

const stateOf = (invoice: Invoice): string | undefined => {
  if (invoice.status === 'paid') return 'This invoice is paid.';
  if (invoice.status === 'void') return 'This invoice is void: nothing is owed.';
  return undefined;
};

const creditRow = ({ starting_balance: start, ending_balance: end }: Invoice): Html =>
  start === (end ?? start)
    ? html``
    : html`<dt>Credit</dt>
        <dd>${money(start - (end ?? start))}</dd>`;

const invoicePage = (invoice: Invoice, problem?: string): string =>
  page(
    'Invoice',
    html`<h1>Invoice ${invoice.number ?? 'draft'}</h1>
      <p>${day(invoice.created)}</p>
      ${done(stateOf(invoice))} ${notice(problem)}
      <dl>
        ${linesOf(invoice)} ${creditRow(invoice)}
        <dt class="total">${invoice.status === 'paid' ? 'Paid' : 'Due'}</dt>
        <dd class="total">${money(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due)}</dd>
      </dl>
      ${
        invoice.status === 'open'
          ? html`<form class="stack" method="post" action="/i/${invoice.id}">
              ${cardChoices('ok')}
              <button class="main">Pay ${money(invoice.amount_due)}</button>
            </form>`
          : html``
      }
      <p><a class="link" href="/i/${invoice.id}/pdf">Download the PDF</a></p>`,
  );

/** The page of an invoice, on which an open one can be paid with another card. */
export const registerInvoicePages = (scope: FastifyInstance, service: Service): void => {
  const read = (id: string): Invoice => service.read((tx) => tx.require('invoice', id));

  const answer = (reply: FastifyReply, { invoice, result }: Collected): FastifyReply => {
    if (result.kind === 'paid') return reply.redirect(`/i/${invoice.id}`, 303);
    if (result.kind === 'confirm') return reply.redirect(`/i/${invoice.id}/confirm`, 303);
    return showPage(reply, 402, invoicePage(invoice, `${result.message} Choose another card.`));
  };

  scope.get<{ Params: { id: string } }>(path, (request, reply) =>
    showPage(reply, 200, invoicePage(read(request.params.id))),
  );

  scope.get<{ Params: { id: string } }>(`${path}/pdf`, (request, reply) => {
    const invoice = read(request.params.id);
    const name = `Invoice-${(invoice.number ?? invoice.id).replaceAll(/[^\w-]/g, '')}.pdf`;
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(invoicePdf(invoice));
  });

  scope.get<{ Params: { id: string } }>('/i/receipt/:id', (request, reply) => {
    const { id } = request.params;
    const invoice = service.read((tx) => {
      const intent = tx.require('charge', id).payment_intent;
      return tx.all('invoice_payment').find(({ payment }) => payment.payment_intent === intent)?.invoice;
    });
    if (invoice === undefined) throw missing('charge', id);
    return reply.redirect(`/i/${invoice}`, 302);
  });

  scope.post(path, (request: FormRequest, reply) => {
    const invoice = read(request.params.id);
    if (invoice.status !== 'open') return reply.redirect(`/i/${invoice.id}`, 303);
    const card = cardBehaviour(request.body?.get('card') ?? 'ok');
    return answer(
      reply,
      service.transact((tx) => {
        replaceCard(tx, invoice.customer, card);
        return collect(tx, invoice, { onSession: true });
      }),
    );
  });

  scope.get<{ Params: { id: string } }>(`${path}/confirm`, (request, reply) => {
    const invoice = read(request.params.id);
    if (invoice.status !== 'open') return reply.redirect(`/i/${invoice.id}`, 303);
    return showPage(reply, 200, confirmationPage(`/i/${invoice.id}/confirm`, invoice.amount_due));
  });

  scope.post(`${path}/confirm`, (request: FormRequest, reply) => {
    const invoice = read(request.params.id);
    if (invoice.status !== 'open') return reply.redirect(`/i/${invoice.id}`, 303);
    const result = request.body?.get('do') === 'confirm' ? ({ kind: 'paid' } as const) : authenticationFailed;
    return answer(
      reply,
      service.transact((tx) => collect(tx, invoice, { onSession: true, result })),
    );
  });
};
