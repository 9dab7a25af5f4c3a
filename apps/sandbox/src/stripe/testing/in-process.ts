import { Stripe } from 'stripe';
import { runRoute, routes } from '../api/http.ts';
import { parseForm } from '../api/form.ts';
import type { Route } from '../api/route.ts';
import { replaceCard } from '../engine/cards.ts';
import { payCheckout } from '../engine/checkout.ts';
import { closeDispute, openDispute } from '../engine/disputes.ts';
import { StripeFailure } from '../engine/failure.ts';
import { createRefund, failRefund } from '../engine/refunds.ts';
import { openService, type Service } from '../service.ts';

/** What the stand-in has taken and given back, in minor units, by its own books. */
export type Books = Readonly<{ charged: number; refunded: number }>;

/** The stand-in without a server: the SDK calls its routes directly, and a test moves the time. */
export type StripeInProcess = Readonly<{
  stripe: Stripe;
  now: () => number;
  /** Does all work that is due until then, each at its own time. */
  advance: (toMs: number) => void;
  books: () => Books;
  tables: Service['tables'];
  pay: (sessionId: string) => void;
  useCard: (customer: string, card: 'ok' | 'declined') => void;
  refund: (charge: string, amount?: number) => void;
  failRefund: (refund: string) => void;
  dispute: (charge: string) => void;
  closeDispute: (dispute: string, outcome: 'won' | 'lost') => void;
}>;

type Match = Readonly<{ route: Route; id: string }>;

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '([^/]+)')}$`),
}));

const matchOf = (method: string, path: string): Match => {
  for (const { route, pattern } of patterns) {
    const found = route.method === method ? pattern.exec(path) : null;
    if (found) return { route, id: found[1] ?? '' };
  }
  throw new Error(`The stand-in has no call ${method} ${path}.`);
};

type Fetch = Parameters<typeof Stripe.createFetchHttpClient>[0];

const fetchFrom =
  (service: Service): NonNullable<Fetch> =>
  async (input, init) => {
    const url = new URL(String(input));
    const { route, id } = matchOf(init?.method ?? 'GET', url.pathname);
    const form = parseForm(route.method === 'POST' ? String(init?.body ?? '') : url.search.slice(1));
    const { status, body } = runRoute({ service }, route, {
      id,
      form,
      info: { id: null, idempotencyKey: null },
      fingerprint: '',
    });
    const text = JSON.stringify(body);
    // A whole `Response` takes longer than the call.
    return { status, headers: new Headers(), text: () => Promise.resolve(text) } as unknown as Response;
  };

const isRefused = (error: unknown): boolean => error instanceof StripeFailure;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

export const openStripeInProcess = (startMs: number): StripeInProcess => {
  let nowMs = startMs;
  const service = openService({
    now: () => nowMs,
    rules: { retryDays: [2, 5, 7, 14], afterRetries: 'cancel', publicUrl: 'http://stripe.sandbox' },
    dataFolder: undefined,
    webhookUrl: 'http://127.0.0.1:1',
    webhookSecret: 'whsec_test',
    seed: 'test',
  });
  const { tables, transact } = service;
  /** What Stripe does not allow at the moment changes nothing. */
  const attempt = (work: Parameters<typeof transact>[0]): void => {
    try {
      transact(work);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  };
  return {
    stripe: new Stripe('sk_test_in_process', {
      httpClient: Stripe.createFetchHttpClient(fetchFrom(service)),
      maxNetworkRetries: 0,
      telemetry: false,
    }),
    now: () => nowMs,
    advance: (toMs) => {
      const upTo = Math.floor(toMs / 1_000);
      for (let due = service.nextDue(upTo); due !== undefined; due = service.nextDue(upTo)) {
        nowMs = Math.max(nowMs, due * 1_000);
        service.runDueWork();
      }
      nowMs = toMs;
    },
    books: () => ({
      charged: sumOf(
        tables.all('charge').flatMap(({ status, amount }) => (status === 'succeeded' ? [amount] : [])),
      ),
      refunded: sumOf(
        tables.all('refund').flatMap(({ status, amount }) => (status === 'succeeded' ? [amount] : [])),
      ),
    }),
    tables,
    pay: (sessionId) => attempt((tx) => payCheckout(tx, sessionId, { email: 'x@example.com', card: 'ok' })),
    useCard: (customer, card) => attempt((tx) => replaceCard(tx, customer, card)),
    refund: (charge, amount) =>
      attempt((tx) => {
        const row = tx.require('charge', charge);
        const left = row.amount - row.amount_refunded;
        return createRefund(tx, { charge: row, amount: amount ?? left, reason: null, metadata: {} });
      }),
    failRefund: (refund) => attempt((tx) => failRefund(tx, refund)),
    dispute: (charge) =>
      attempt((tx) =>
        openDispute(tx, tx.require('charge', charge), { reason: 'fraudulent', isWarning: false }),
      ),
    closeDispute: (dispute, outcome) => attempt((tx) => closeDispute(tx, dispute, outcome)),
  };
};
