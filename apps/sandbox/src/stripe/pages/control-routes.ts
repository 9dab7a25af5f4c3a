import type { FastifyInstance } from 'fastify';
import { messageOf } from '@tapedeck/kernel';
import { controlPath, failRenewals, type ControlParts } from '../control/routes.ts';
import { cardBehaviour, replaceCard } from '../engine/cards.ts';
import { openDispute } from '../engine/disputes.ts';
import { invoicesOf } from '../engine/invoices.ts';
import type { Charge, Subscription } from '../engine/objects.ts';
import { cardLabel, paymentIntentOf } from '../engine/payments.ts';
import { createRefund } from '../engine/refunds.ts';
import { draftSeconds, nextPeriodLines } from '../engine/subscriptions.ts';
import { finalStatuses, itemOf, ledgerOf, periodOf } from '../engine/subscription-state.ts';
import type { Tx } from '../engine/transaction.ts';
import { discountOf } from '../engine/invoice-lines.ts';
import { controlPage, type ControlledSubscription, type ControlView } from './control-page.ts';
import { showPage, type FormRequest } from './forms.ts';

const shownEvents = 30;
const shownSubscriptions = 30;
const daySeconds = 86_400;

const lastCharge = (tx: Tx, subscription: Subscription): Charge | undefined => {
  const intents = invoicesOf(tx, subscription.id).map(({ id }) => paymentIntentOf(tx, id)?.latest_charge);
  const id = intents.findLast((charge) => typeof charge === 'string');
  return typeof id === 'string' ? tx.get('charge', id) : undefined;
};

const rowOf = (tx: Tx, subscription: Subscription): ControlledSubscription => {
  const customer = tx.require('customer', subscription.customer);
  const { status, cancel_at: cancelAt } = subscription;
  const isOver = finalStatuses.has(status) || status === 'incomplete' || cancelAt !== null;
  const { lines } = nextPeriodLines(tx, subscription);
  const charge = lastCharge(tx, subscription);
  return {
    id: subscription.id,
    customer: subscription.customer,
    email: customer.deleted ? 'deleted' : (customer.email ?? 'no e-mail'),
    plan: itemOf(subscription).price.nickname ?? itemOf(subscription).price.id,
    status: subscription.status,
    card: cardLabel(tx, subscription.default_payment_method),
    nextAt: isOver ? null : periodOf(subscription).end,
    nextAmount: isOver ? null : lines.reduce((sum, line) => sum + line.amount - discountOf(line), 0),
    willFail: ledgerOf(tx, subscription.id).failRenewals > 0,
    charge: charge?.paid && !charge.refunded && !charge.disputed ? charge.id : null,
  };
};

const viewOf = ({ service, deliveries }: ControlParts, message?: string, problem?: string): ControlView =>
  service.read((tx) => ({
    now: tx.now,
    subscriptions: tx
      .all('subscription')
      .slice(-shownSubscriptions)
      .toReversed()
      .map((subscription) => rowOf(tx, subscription)),
    events: tx
      .all('event')
      .slice(-shownEvents)
      .toReversed()
      .map(({ id, type, created }) => {
        const delivery = tx.require('delivery', id);
        return { id, type, created, state: delivery.state, attempts: delivery.attempts.length };
      }),
    rules: deliveries.rules.list().map(({ action, count }) => `Next: ${action} (${String(count ?? 'all')}).`),
    isHeld: deliveries.isHeld(),
    message,
    problem,
  }));

const chargeOf = (tx: Tx, form: URLSearchParams): Charge => tx.require('charge', form.get('charge') ?? '');

const nextRenewal = ({ service }: ControlParts): number | undefined => {
  const ends = service.read((tx) =>
    tx
      .all('subscription')
      .filter(({ status }) => !finalStatuses.has(status))
      .map((subscription) => periodOf(subscription).end),
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
};

const advanceBy = async ({ clock }: ControlParts, seconds: number): Promise<string> => {
  await clock.advanceTo(clock.now() + seconds * 1_000);
  return 'The clock was advanced.';
};

type Action = (parts: ControlParts, form: URLSearchParams) => string | Promise<string>;

const actions: Readonly<Record<string, Action>> = {
  day: (parts) => advanceBy(parts, daySeconds),
  fortnight: (parts) => advanceBy(parts, 14 * daySeconds),
  renewal: async (parts) => {
    const end = nextRenewal(parts);
    if (end === undefined) return 'There is no subscription that renews.';
    // The renewal is paid when the hour of its draft is over.
    await parts.clock.advanceTo(Math.max(parts.clock.now(), (end + draftSeconds) * 1_000));
    return 'The clock was advanced past the next renewal.';
  },
  fail: ({ service }, form) => {
    const subscription = form.get('subscription') ?? '';
    service.transact((tx) => failRenewals(tx, { subscription, count: 1 }));
    return 'The next renewal fails.';
  },
  card: ({ service }, form) => {
    const card = cardBehaviour(form.get('card') ?? '');
    service.transact((tx) => replaceCard(tx, form.get('customer') ?? '', card));
    return 'The card was changed.';
  },
  refund: ({ service }, form) => {
    service.transact((tx) => {
      const charge = chargeOf(tx, form);
      const amount = charge.amount - charge.amount_refunded;
      return createRefund(tx, { charge, amount, reason: null, metadata: {} });
    });
    return 'The charge was refunded.';
  },
  dispute: ({ service }, form) => {
    service.transact((tx) => openDispute(tx, chargeOf(tx, form), { reason: 'fraudulent', isWarning: false }));
    return 'A dispute was opened.';
  },
  drop: ({ deliveries }) => {
    deliveries.rules.add({ action: 'drop', count: 1 });
    return 'The next event is dropped.';
  },
  duplicate: ({ deliveries }) => {
    deliveries.rules.add({ action: 'duplicate', count: 1, copies: 2 });
    return 'The next event is sent twice.';
  },
  delay: ({ deliveries }) => {
    deliveries.rules.add({ action: 'delay', count: 1, seconds: 3_600 });
    return 'The next event is delayed by an hour.';
  },
  hold: ({ deliveries }) => {
    deliveries.hold();
    return 'Deliveries are held.';
  },
  release: async ({ deliveries }) => {
    await deliveries.release();
    return 'Deliveries were released.';
  },
  clear: async ({ deliveries }) => {
    deliveries.rules.clear();
    await deliveries.release();
    return 'Events are delivered normally.';
  },
  resend: async ({ deliveries }, form) => {
    const { status, problem } = await deliveries.resend(form.get('event') ?? '');
    return problem === null
      ? `The event was sent: status ${String(status)}.`
      : `The event was not received: ${problem}.`;
  },
};

const act = async (parts: ControlParts, form: URLSearchParams): Promise<string> => {
  const what = form.get('do') ?? '';
  const action = Object.hasOwn(actions, what) ? actions[what] : undefined;
  return action ? action(parts, form) : 'The form is not complete: reload the page.';
};

/** The control page, whose forms do a part of what the control API does. */
export const registerControlPage = (scope: FastifyInstance, parts: ControlParts): void => {
  // Shown once, after the redirect that keeps a reload from repeating the action.
  let outcome: Readonly<{ message?: string; problem?: string }> = {};
  scope.get(controlPath, (_request, reply) => {
    const { message, problem } = outcome;
    outcome = {};
    return showPage(reply, 200, controlPage(viewOf(parts, message, problem)));
  });
  scope.post(`${controlPath}/do`, async (request: FormRequest, reply) => {
    try {
      outcome = { message: await act(parts, request.body ?? new URLSearchParams()) };
    } catch (error) {
      outcome = { problem: messageOf(error) };
    }
    return reply.redirect(controlPath, 303);
  });
};
