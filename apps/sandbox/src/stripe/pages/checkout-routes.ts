import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkoutAmounts } from '../api/line-items.ts';
import { boundary } from '../engine/calendar.ts';
import { cardBehaviour } from '../engine/cards.ts';
import { confirmCheckout, payCheckout, type CheckoutResult } from '../engine/checkout.ts';
import { intervalOf } from '../engine/subscription-state.ts';
import type { Session } from '../engine/objects.ts';
import type { Service } from '../service.ts';
import { emailOf } from '../../openid/accounts.ts';
import { billingDetailsOf } from './address-fields.ts';
import { checkoutPage, confirmationPage, type CheckoutView } from './checkout-page.ts';
import { showPage, type FormRequest } from './forms.ts';
import { messagePage } from './layout.ts';

const path = '/c/pay/:id';

const filled = (url: string, sessionId: string): string => url.replaceAll('{CHECKOUT_SESSION_ID}', sessionId);

export const isAllowed = (url: string, origins: readonly string[]): boolean =>
  URL.canParse(url) && origins.includes(new URL(url).origin);

type CheckoutParts = Readonly<{ service: Service; origins: readonly string[] }>;

const viewOf = ({ service }: CheckoutParts, id: string, notice?: string): CheckoutView =>
  service.read((tx) => {
    const session = tx.require('session', id);
    const plan = tx.require('session_plan', id);
    const price = tx.require('price', plan.price);
    const amounts = checkoutAmounts(tx, plan);
    const attempt = tx.get('checkout_attempt', id)?.customer ?? session.customer;
    const customer = attempt === null ? undefined : tx.get('customer', attempt);
    const known = session.customer_email ?? (customer && !customer.deleted ? customer.email : null);
    return {
      action: `/c/pay/${id}`,
      plan: price.nickname ?? price.id,
      listPrice: price.unit_amount * plan.quantity,
      interval: price.recurring.interval,
      today: amounts.total,
      discount: amounts.discount,
      nextAt: plan.trialEnd ?? boundary(tx.now, intervalOf(price), 1),
      email: known,
      isEmailFixed: session.customer_email !== null || session.customer !== null,
      asks: {
        address: session.billing_address_collection === 'required',
        taxId: session.tax_id_collection?.enabled ?? false,
        isTaxed: session.automatic_tax.enabled,
      },
      notice,
    };
  });

const foreignAddress = (reply: FastifyReply): FastifyReply =>
  showPage(
    reply,
    400,
    messagePage('That did not work', 'The address to return to does not belong to Tapedeck.'),
  );

const redirectTo = (
  { origins }: CheckoutParts,
  reply: FastifyReply,
  url: string | null,
  sessionId: string,
): FastifyReply => {
  const target = filled(url ?? '', sessionId);
  if (!isAllowed(target, origins)) return foreignAddress(reply);
  return reply.redirect(target, 303);
};

const ended = (
  { status, success_url: success }: Session,
  reply: FastifyReply,
  parts: CheckoutParts,
  id: string,
) => {
  if (status === 'complete') return redirectTo(parts, reply, success, id);
  return showPage(reply, 410, messagePage('This checkout has expired', 'Start again from Tapedeck.'));
};

/** The checkout page, and the bank's page behind a card that needs a confirmation. */
export const registerCheckoutPages = (scope: FastifyInstance, parts: CheckoutParts): void => {
  const { service, origins } = parts;
  const sessionOf = (id: string): Session => service.read((tx) => tx.require('session', id));

  const answer = (reply: FastifyReply, { result, session }: CheckoutResult): FastifyReply => {
    if (result.kind === 'paid') return redirectTo(parts, reply, session.success_url, session.id);
    if (result.kind === 'confirm') return reply.redirect(`/c/pay/${session.id}/confirm`, 303);
    const view = viewOf(parts, session.id, `${result.message} Nothing was charged: choose another card.`);
    return showPage(reply, 402, checkoutPage(view));
  };

  scope.get<{ Params: { id: string } }>(path, (request, reply) => {
    const session = sessionOf(request.params.id);
    if (session.status !== 'open') return ended(session, reply, parts, session.id);
    return showPage(reply, 200, checkoutPage(viewOf(parts, session.id)));
  });

  scope.post(path, (request: FormRequest, reply) => {
    const session = sessionOf(request.params.id);
    if (session.status !== 'open') return ended(session, reply, parts, session.id);
    const form = request.body ?? new URLSearchParams();
    if (form.get('do') === 'abandon') return redirectTo(parts, reply, session.cancel_url, session.id);
    if (!isAllowed(filled(session.success_url, session.id), origins)) return foreignAddress(reply);
    const view = viewOf(parts, session.id);
    const email = view.isEmailFixed ? (view.email ?? '') : emailOf(form.get('email') ?? '');
    if (email === undefined) {
      const text = 'That is not an e-mail address: enter the one for the receipt.';
      return showPage(reply, 400, checkoutPage({ ...view, notice: text }));
    }
    const billing = billingDetailsOf(form, view.asks);
    if (!billing) {
      const text = 'The billing address is not complete: enter street, postal code, city and country.';
      return showPage(reply, 400, checkoutPage({ ...view, notice: text }));
    }
    const card = cardBehaviour(form.get('card') ?? 'ok');
    return answer(
      reply,
      service.transact((tx) => payCheckout(tx, session.id, { email, card, billing })),
    );
  });

  scope.get<{ Params: { id: string } }>(`${path}/confirm`, (request, reply) => {
    const session = sessionOf(request.params.id);
    if (session.status !== 'open') return ended(session, reply, parts, session.id);
    const { today } = viewOf(parts, session.id);
    return showPage(reply, 200, confirmationPage(`/c/pay/${session.id}/confirm`, today));
  });

  scope.post(`${path}/confirm`, (request: FormRequest, reply) => {
    const session = sessionOf(request.params.id);
    if (session.status !== 'open') return ended(session, reply, parts, session.id);
    const isConfirmed = request.body?.get('do') === 'confirm';
    return answer(
      reply,
      service.transact((tx) => confirmCheckout(tx, session.id, isConfirmed)),
    );
  });
};
