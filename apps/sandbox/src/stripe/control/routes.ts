import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { SandboxClock } from '../../clock-port.ts';
import { callFaultKinds, type CallFaults, type RequestLog } from '../api/calls.ts';
import { cardBehaviours, replaceCard } from '../engine/cards.ts';
import { closeDispute, disputeOutcomes, openDispute } from '../engine/disputes.ts';
import { invalid, StripeFailure } from '../engine/failure.ts';
import { createRefund, failRefund } from '../engine/refunds.ts';
import { finalStatuses, ledgerOf, updateSubscription } from '../engine/subscription-state.ts';
import type { Tx } from '../engine/transaction.ts';
import { isFromOwnPage } from '../api/own-page.ts';
import type { Service } from '../service.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';

export type ControlParts = Readonly<{
  service: Service;
  deliveries: Deliveries;
  log: RequestLog;
  faults: CallFaults;
  clock: SandboxClock;
}>;

const count = z.number().int().min(1).max(100_000);
const id = z.string().min(1).max(100);
const secondsAhead = z
  .number()
  .int()
  .min(0)
  .max(5 * 366 * 86_400);

const bodies = {
  clock: z.union([z.object({ to: z.iso.datetime() }), z.object({ seconds: secondsAhead })]),
  failRenewal: z.object({ subscription: id.optional(), customer: id.optional(), count: count.default(1) }),
  card: z.object({ customer: id, card: z.enum(cardBehaviours as readonly [string, ...string[]]) }),
  rule: z.object({
    action: z.enum(['drop', 'duplicate', 'delay']),
    types: z.array(z.string()).optional(),
    count: count.optional(),
    copies: z.number().int().min(1).max(20).optional(),
    seconds: secondsAhead.optional(),
  }),
  release: z.object({ order: z.array(id).default([]), onlyThese: z.boolean().default(false) }),
  event: z.object({ id }),
  secret: z.object({ secret: z.string().startsWith('whsec_').optional() }),
  /** Of the next events; 0 ends it. */
  eventFault: z.object({ count: count.or(z.literal(0)) }),
  second: z.object({ on: z.boolean() }),
  timestamp: z.object({ offsetSeconds: z.number().int().min(-86_400).max(86_400) }),
  dispute: z.object({
    charge: id,
    reason: z.string().default('fraudulent'),
    warning: z.boolean().default(false),
  }),
  closeDispute: z.object({ id, outcome: z.enum(disputeOutcomes) }),
  refund: z.object({
    charge: id,
    amount: z.number().int().optional(),
    outcome: z.enum(['succeeds', 'succeeds_later', 'fails_later']).default('succeeds'),
  }),
  status: z.object({ subscription: id, status: z.enum(['active', 'paused', 'trialing', 'unpaid']) }),
  callFault: z.object({
    kind: z.enum(callFaultKinds),
    count: count.default(1),
    code: z.string().max(100).optional(),
    path: z.string().optional(),
    method: z.string().optional(),
  }),
  latency: z.object({ ms: z.number().int().min(0).max(60_000) }),
};

const parsed = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is wrong'}`);
};

const advance = async (clock: SandboxClock, body: z.infer<typeof bodies.clock>): Promise<object> => {
  await clock.advanceTo('to' in body ? Date.parse(body.to) : clock.now() + body.seconds * 1_000);
  return { now: new Date(clock.now()).toISOString() };
};

/** The next payments of renewals are declined, whatever the card says. */
export const failRenewals = (tx: Tx, wanted: z.infer<typeof bodies.failRenewal>): object => {
  const found = tx
    .all('subscription')
    .filter((row) => row.id === wanted.subscription || row.customer === wanted.customer)
    .filter(({ status }) => !finalStatuses.has(status));
  if (found.length === 0) throw invalid('No such subscription: give the id of one that has not ended.');
  for (const row of found) tx.put('ledger', { ...ledgerOf(tx, row.id), failRenewals: wanted.count });
  return { subscriptions: found.map((row) => row.id) };
};

const forceStatus = (tx: Tx, wanted: z.infer<typeof bodies.status>): object => {
  const before = tx.require('subscription', wanted.subscription);
  const after = updateSubscription(tx, before, { status: wanted.status });
  if (wanted.status === 'paused') tx.emit('customer.subscription.paused', after);
  return after;
};

/** As if it had not expired in time: it can be paid. Its page has the address that it had. */
const reopenSession = (tx: Tx, id: string): object => {
  const session = tx.require('session', id);
  if (session.status !== 'expired') throw invalid('Only an expired session can be opened again.', 'id');
  const open: typeof session = { ...session, status: 'open' };
  tx.put('session', open);
  return open;
};

const eventsOf = ({ service }: ControlParts): object =>
  service.tables.all('event').map(({ id: eventId, type, created, pending_webhooks: pending }) => ({
    id: eventId,
    type,
    created,
    pending,
    ...service.tables.get('delivery', eventId),
  }));

type Handler = (body: unknown) => object | Promise<object>;

const none = {};

const reads = (parts: ControlParts): Readonly<Record<string, () => object>> => ({
  '/deliveries': () => eventsOf(parts),
  '/requests': () => parts.log.list(),
  '/calls/held': () => ({ held: parts.faults.held() }),
  '/secrets': () => parts.service.settings().secrets,
  '/rules': () => parts.deliveries.rules.list(),
});

const billingWrites = ({ service, clock }: ControlParts): Readonly<Record<string, Handler>> => ({
  '/clock': (body) => advance(clock, parsed(bodies.clock, body)),
  '/fail-renewal': (body) => service.transact((tx) => failRenewals(tx, parsed(bodies.failRenewal, body))),
  '/card': (body) => {
    const { customer, card } = parsed(bodies.card, body);
    const behaviour = cardBehaviours.find((each) => each === card) ?? 'ok';
    return service.transact((tx) => replaceCard(tx, customer, behaviour));
  },
  '/disputes': (body) => {
    const { charge, reason, warning } = parsed(bodies.dispute, body);
    return service.transact((tx) =>
      openDispute(tx, tx.require('charge', charge), { reason, isWarning: warning }),
    );
  },
  '/disputes/close': (body) => {
    const wanted = parsed(bodies.closeDispute, body);
    return service.transact((tx) => closeDispute(tx, wanted.id, wanted.outcome));
  },
  '/refunds': (body) => {
    const { charge: chargeId, amount, outcome } = parsed(bodies.refund, body);
    return service.transact((tx) => {
      const charge = tx.require('charge', chargeId);
      const left = charge.amount - charge.amount_refunded;
      return createRefund(tx, { charge, amount: amount ?? left, outcome, reason: null, metadata: {} });
    });
  },
  '/refunds/fail': (body) => service.transact((tx) => failRefund(tx, parsed(bodies.event, body).id)),
  '/sessions/reopen': (body) => service.transact((tx) => reopenSession(tx, parsed(bodies.event, body).id)),
  '/subscriptions/status': (body) => service.transact((tx) => forceStatus(tx, parsed(bodies.status, body))),
});

const deliveryWrites = ({ service, deliveries }: ControlParts): Readonly<Record<string, Handler>> => ({
  '/deliveries/rules': (body) => {
    deliveries.rules.add(parsed(bodies.rule, body));
    return none;
  },
  '/deliveries/rules/clear': () => {
    deliveries.rules.clear();
    return none;
  },
  '/deliveries/hold': () => {
    deliveries.hold();
    return none;
  },
  '/deliveries/release': async (body) => {
    const { order, onlyThese } = parsed(bodies.release, body);
    await deliveries.release(order, onlyThese);
    if (!onlyThese) await deliveries.idle();
    return none;
  },
  '/deliveries/idle': async () => {
    await deliveries.idle();
    return none;
  },
  '/events/resend': (body) => deliveries.resend(parsed(bodies.event, body).id),
  '/events/lose': (body) => {
    service.faults.eventsToLose = parsed(bodies.eventFault, body).count;
    return none;
  },
  '/events/wrong-livemode': (body) => {
    service.faults.wrongLivemode = parsed(bodies.eventFault, body).count;
    return none;
  },
  '/events/same-second': (body) => {
    service.faults.frozenSecond = parsed(bodies.second, body).on ? service.nowSeconds() : null;
    return none;
  },
  '/deliveries/timestamp': (body) => {
    deliveries.setTimestampOffset(parsed(bodies.timestamp, body).offsetSeconds);
    return none;
  },
  '/secrets/rotate': (body) => ({ secrets: service.rotateSecret(parsed(bodies.secret, body).secret) }),
  '/secrets/retire': () => ({ secrets: service.retireSecret() }),
});

const callWrites = ({ log, faults }: ControlParts): Readonly<Record<string, Handler>> => ({
  '/requests/reset': () => {
    log.reset();
    return none;
  },
  '/calls/fail': (body) => {
    faults.add(parsed(bodies.callFault, body));
    return none;
  },
  '/calls/latency': (body) => {
    faults.setLatency(parsed(bodies.latency, body).ms);
    return none;
  },
  '/calls/release': () => {
    faults.release();
    return none;
  },
  '/calls/clear': () => {
    faults.clear();
    return none;
  },
});

export const controlPath = '/_control/stripe';

/** What tests and people can do to the stand-in, but not to Stripe. */
export const registerControl = async (app: FastifyInstance, parts: ControlParts): Promise<void> => {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      const status =
        error instanceof StripeFailure
          ? error.status
          : ((error as { statusCode?: number }).statusCode ?? 400);
      return reply.status(status).send({ error: error instanceof Error ? error.message : String(error) });
    });
    scope.addHook('onRequest', async (request, reply) =>
      isFromOwnPage(request) ? undefined : reply.status(403).send({ error: 'Another site sent this.' }),
    );
    for (const [path, read] of Object.entries(reads(parts)))
      scope.get(`${controlPath}${path}`, (_request, reply) => reply.send(read()));
    const writes = { ...billingWrites(parts), ...deliveryWrites(parts), ...callWrites(parts) };
    for (const [path, write] of Object.entries(writes))
      scope.post(`${controlPath}${path}`, async (request, reply) => reply.send(await write(request.body)));
  });
};
