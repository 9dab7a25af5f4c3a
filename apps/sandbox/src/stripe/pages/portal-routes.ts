import type { FastifyInstance, FastifyReply } from 'fastify';
import { cardBehaviour, replaceCard } from '../engine/cards.ts';
import { collect } from '../engine/collection.ts';
import { livingCustomer } from '../engine/customers.ts';
import { invalid } from '../engine/failure.ts';
import { invoicesOf } from '../engine/invoices.ts';
import type { PortalSession, Price, Subscription } from '../engine/objects.ts';
import { cardLabel } from '../engine/payments.ts';
import { changePlan } from '../engine/plan-change.ts';
import { featureOf, portalConfigurationOf } from '../engine/portal-configurations.ts';
import { endSchedule, phaseItemsOf, scheduleFrom, updateSchedule } from '../engine/schedules.ts';
import { finalStatuses, itemOf, periodOf, updateSubscription } from '../engine/subscription-state.ts';
import type { Tx } from '../engine/transaction.ts';
import type { Service } from '../service.ts';
import { isAllowed } from './checkout-routes.ts';
import { showPage, type FormRequest } from './forms.ts';
import { messagePage } from './layout.ts';
import { portalPage, type PortalView } from './portal-page.ts';

const path = '/p/session/:id';
const sessionSeconds = 3_600;

type Message = 'card' | 'plan' | 'later' | 'pending' | 'cancel' | 'resume' | 'keep';

const messages: Readonly<Record<Message, string>> = {
  card: 'The card was changed.',
  plan: 'The plan was changed.',
  later: 'The plan changes at the end of the period.',
  pending: 'The payment failed: the plan changes when its invoice is paid.',
  cancel: 'The subscription ends at the end of its period.',
  resume: 'The subscription continues.',
  keep: 'The plan stays as it is.',
};

const isMessage = (text: string | undefined): text is Message =>
  text !== undefined && Object.hasOwn(messages, text);

const yearly = ({ unit_amount: amount, recurring }: Price): number =>
  recurring.interval === 'year' ? amount : amount * 12;

/** Longer intervals and higher tiers apply now, the others at the end of the period. */
const isUpgrade = (from: Price, to: Price): boolean =>
  from.recurring.interval === to.recurring.interval
    ? yearly(to) > yearly(from)
    : to.recurring.interval === 'year' && yearly(to) > from.unit_amount;

const scheduleChange = (tx: Tx, subscription: Subscription, price: Price): void => {
  const schedule =
    subscription.schedule === null
      ? scheduleFrom(tx, subscription)
      : tx.require('schedule', subscription.schedule);
  const { start, end } = periodOf(subscription);
  const items = phaseItemsOf(subscription);
  const [first, ...others] = items;
  const phase = { intervals: 1, metadata: null, discounts: subscription.discounts };
  const next = [{ price: price.id, quantity: first?.quantity ?? 1 }, ...others];
  updateSchedule(
    tx,
    schedule,
    [
      { ...phase, items, start: schedule.current_phase?.start_date ?? start, end },
      { ...phase, items: next, start: end, end: null },
    ],
    {},
  );
};

const changeTo = (tx: Tx, subscription: Subscription, priceId: string): Message => {
  const price = tx.require('price', priceId, 'price');
  const item = itemOf(subscription);
  if (!isUpgrade(item.price, price)) {
    scheduleChange(tx, subscription, price);
    return 'later';
  }
  if (subscription.schedule !== null)
    endSchedule(tx, tx.require('schedule', subscription.schedule), 'released');
  const changed = changePlan(tx, tx.require('subscription', subscription.id), {
    item: item.id,
    price,
    quantity: item.quantity,
    proration: 'always_invoice',
    payment: 'pending_if_incomplete',
    time: tx.now,
  });
  return changed.pending_update === null ? 'plan' : 'pending';
};

/** The new card pays at once what is open. */
const changeCard = (tx: Tx, customer: string, card: string): Message => {
  replaceCard(tx, customer, cardBehaviour(card));
  for (const subscription of tx.related('subscription', customer)) {
    if (finalStatuses.has(subscription.status)) continue;
    const open = invoicesOf(tx, subscription.id).filter(({ status }) => status === 'open');
    for (const invoice of open) collect(tx, invoice, { onSession: false });
  }
  return 'card';
};

const ownSubscription = (tx: Tx, session: PortalSession, form: URLSearchParams): Subscription => {
  const subscription = tx.require('subscription', form.get('subscription') ?? '');
  if (subscription.customer !== session.customer || finalStatuses.has(subscription.status))
    throw invalid('This subscription has ended: return to Tapedeck.');
  return subscription;
};

const assertAllowed = (tx: Tx, { configuration }: PortalSession, what: string | null): void => {
  const feature = featureOf(what);
  const { features } = portalConfigurationOf(tx, configuration);
  if (feature && !features[feature].enabled)
    throw invalid('This page does not allow that: return to Tapedeck.');
};

const act = (tx: Tx, session: PortalSession, form: URLSearchParams): Message => {
  const what = form.get('do');
  assertAllowed(tx, session, what);
  if (what === 'card') return changeCard(tx, session.customer, form.get('card') ?? '');
  const subscription = ownSubscription(tx, session, form);
  switch (what) {
    case 'plan':
      return changeTo(tx, subscription, form.get('price') ?? '');
    case 'keep':
      endSchedule(tx, tx.require('schedule', subscription.schedule ?? ''), 'released');
      return 'keep';
    case 'cancel': {
      if (subscription.schedule !== null)
        endSchedule(tx, tx.require('schedule', subscription.schedule), 'released');
      // The portal sets the time, and not the flag that the API knows beside it.
      updateSubscription(tx, tx.require('subscription', subscription.id), {
        cancel_at: periodOf(subscription).end,
        canceled_at: tx.now,
        cancellation_details: {
          comment: null,
          feedback: null,
          feedback_option: null,
          reason: 'cancellation_requested',
        },
      });
      return 'cancel';
    }
    case 'resume':
      updateSubscription(tx, subscription, {
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
      });
      return 'resume';
    default:
      throw invalid('The form is not complete: reload the page.');
  }
};

const scheduledPrices = (tx: Tx, subscriptions: readonly Subscription[]): ReadonlyMap<string, Price> =>
  new Map(
    subscriptions.flatMap((subscription) => {
      const schedule = subscription.schedule === null ? undefined : tx.get('schedule', subscription.schedule);
      const { end } = periodOf(subscription);
      const next = schedule?.phases.find(({ start_date: start }) => start === end)?.items[0]?.price;
      return next === undefined ? [] : [[subscription.id, tx.require('price', next)] as const];
    }),
  );

/** The billing portal: card, plan, cancellation and invoices of one customer. */
export const registerPortalPages = (
  scope: FastifyInstance,
  { service, origins }: Readonly<{ service: Service; origins: readonly string[] }>,
): void => {
  const viewOf = (id: string, message: string | undefined): PortalView =>
    service.read((tx) => {
      const session = tx.require('portal_session', id);
      const customer = livingCustomer(tx, session.customer);
      const own = tx.related('subscription', customer.id).filter((row) => !finalStatuses.has(row.status));
      const method = own[0]?.default_payment_method ?? customer.invoice_settings.default_payment_method;
      const text = isMessage(message) ? messages[message] : undefined;
      const { return_url: url } = session;
      return {
        session,
        features: portalConfigurationOf(tx, session.configuration).features,
        returnUrl: url !== null && isAllowed(url, origins) ? url : null,
        card: cardLabel(tx, method),
        subscriptions: own,
        prices: tx.all('price'),
        scheduled: scheduledPrices(tx, own),
        invoices: tx
          .all('invoice')
          .filter((row) => row.customer === customer.id)
          .toReversed(),
        ...(message === 'pending' ? { problem: text } : { message: text }),
      };
    });

  const isOver = (session: PortalSession): boolean => service.nowSeconds() > session.created + sessionSeconds;
  const over = (reply: FastifyReply): FastifyReply =>
    showPage(reply, 410, messagePage('This page has expired', 'Open billing again from Tapedeck.'));

  scope.get<{ Params: { id: string }; Querystring: { done?: string } }>(path, (request, reply) => {
    const view = viewOf(request.params.id, request.query.done);
    return isOver(view.session) ? over(reply) : showPage(reply, 200, portalPage(view));
  });

  scope.post(path, (request: FormRequest, reply) => {
    const session = service.read((tx) => tx.require('portal_session', request.params.id));
    if (isOver(session)) return over(reply);
    const form = request.body ?? new URLSearchParams();
    const message = service.transact((tx) => act(tx, session, form));
    const target = session.flow?.after_completion.redirect?.return_url ?? '';
    return reply.redirect(
      isAllowed(target, origins) ? target : `/p/session/${session.id}?done=${message}`,
      303,
    );
  });
};
