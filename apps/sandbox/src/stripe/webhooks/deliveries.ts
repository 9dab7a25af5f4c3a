import { Stripe } from 'stripe';
import { messageOf } from '@tapedeck/kernel';
import type { StripeEvent } from '../engine/objects.ts';
import type { Delivery, DeliveryAttempt } from '../engine/tables.ts';
import type { Service } from '../service.ts';
import { createRealRetries } from './real-retries.ts';
import { createDeliveryRules, type DeliveryRules } from './rules.ts';

const maxConcurrent = 4;
const answerTimeoutMs = 10_000;
const keptAttempts = 20;
/** Seconds after the event, on the clock of the sandbox; after three days no attempt follows. */
const retryAfter = [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, 129_600, 172_800, 216_000, 259_200];

export type Deliveries = Readonly<{
  rules: DeliveryRules;
  /** Sends what is due. */
  pump: () => void;
  /** Resolves when nothing is being sent and nothing due is waiting, except for what is held back. */
  idle: () => Promise<void>;
  hold: () => void;
  isHeld: () => boolean;
  /** Sends held events in the given order, each as often as it is named, and then the others unless `onlyThese`. */
  release: (order?: readonly string[], onlyThese?: boolean) => Promise<void>;
  /** Sends an event again, whatever its state. */
  resend: (eventId: string) => Promise<DeliveryAttempt>;
  setTimestampOffset: (seconds: number) => void;
  nextDue: (upToSeconds: number) => number | undefined;
  close: () => Promise<void>;
}>;

const signatureOf = (payload: string, secrets: readonly string[], timestamp: number): string => {
  const headers = secrets.map((secret) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
  );
  // During a rotation the header has one signature for each secret.
  return [`t=${timestamp}`, ...headers.map((header) => header.slice(header.indexOf('v1=')))].join(',');
};

const isReceived = ({ status }: DeliveryAttempt): boolean => status !== null && status >= 200 && status < 300;

export const createDeliveries = (service: Service, onError: (line: string) => void): Deliveries => {
  const rules = createDeliveryRules();
  const { tables, nowSeconds } = service;
  const waiting = new Set<string>(
    tables
      .all('delivery')
      .filter(({ state }) => state === 'waiting')
      .map(({ id }) => id),
  );
  const inFlight = new Map<string, Promise<unknown>>();
  const seen = new Set<string>(
    [...waiting].filter((id) => (tables.get('delivery', id)?.attempts.length ?? 0) > 0),
  );
  // The receiver was down before a restart, and is asked at once after it.
  const retryNow = new Set<string>(seen);
  let isHeld = false;
  let isClosed = false;
  let offset = 0;
  const retries = createRealRetries((id) => {
    retryNow.add(id);
    pump();
  });
  let idleWaiters: (() => void)[] = [];

  const send = async (event: StripeEvent): Promise<DeliveryAttempt> => {
    const at = nowSeconds();
    const url = tables.get('endpoint', 'we_sandbox')?.url ?? '';
    const payload = JSON.stringify(event, null, 2);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(payload, service.settings().secrets, at + offset),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      await answer.arrayBuffer();
      return { at, status: answer.status, problem: answer.ok ? null : `status ${answer.status}` };
    } catch (error) {
      return { at, status: null, problem: messageOf(error) };
    }
  };

  const record = (id: string, attempt: DeliveryAttempt): void => {
    const delivery = tables.get('delivery', id);
    const event = tables.get('event', id);
    if (!delivery || !event || isClosed) return;
    const attempts = [...delivery.attempts, attempt].slice(-keptAttempts);
    const age = nowSeconds() - event.created;
    const after = retryAfter.find((seconds) => seconds > age);
    const isDone = isReceived(attempt) || delivery.state === 'delivered';
    const next: Delivery = isDone
      ? { id, attempts, state: 'delivered', nextAt: null }
      : {
          id,
          attempts,
          state: after === undefined ? 'failed' : 'waiting',
          nextAt: after === undefined ? null : event.created + after,
        };
    service.transact((tx) => {
      tx.put('delivery', next);
      if (isDone && event.pending_webhooks > 0) tx.put('event', { ...event, pending_webhooks: 0 });
    });
    if (next.state === 'waiting') waiting.add(id);
    else waiting.delete(id);
  };

  const attempt = async (id: string, copies: number): Promise<DeliveryAttempt | undefined> => {
    let last: DeliveryAttempt | undefined;
    for (let copy = 0; copy < copies; copy++) {
      const event = tables.get('event', id);
      if (!event || isClosed) return last;
      last = await send(event);
      record(id, last);
    }
    if (last && !isReceived(last) && waiting.has(id)) retries.failed(id);
    else retries.forget(id);
    return last;
  };

  const track = (id: string, work: Promise<unknown>): void => {
    const done = work
      .catch((error: unknown) => onError(`webhook ${id}: ${messageOf(error)}`))
      .finally(() => {
        inFlight.delete(id);
        pump();
      });
    inFlight.set(id, done);
  };

  const isDue = (id: string, upTo: number): boolean => {
    const nextAt = tables.get('delivery', id)?.nextAt ?? null;
    return (nextAt !== null && nextAt <= upTo) || retryNow.has(id);
  };

  const isWanted = (event: StripeEvent): boolean => {
    const endpoint = tables.get('endpoint', 'we_sandbox');
    if (endpoint?.status !== 'enabled') return false;
    return endpoint.enabled_events.some((type) => type === '*' || type === event.type);
  };

  const finishWithout = (id: string, state: 'delivered' | 'dropped'): void => {
    waiting.delete(id);
    service.transact((tx) => {
      tx.put('delivery', { ...tx.require('delivery', id), state, nextAt: null });
      if (state === 'delivered') tx.put('event', { ...tx.require('event', id), pending_webhooks: 0 });
    });
  };

  const start = (id: string): void => {
    const event = tables.get('event', id);
    retryNow.delete(id);
    if (!event) {
      waiting.delete(id);
      return;
    }
    const rule = seen.has(id) ? undefined : rules.take(event);
    seen.add(id);
    if (!isWanted(event)) finishWithout(id, 'delivered');
    else if (rule?.action === 'drop') finishWithout(id, 'dropped');
    else if (rule?.action === 'delay') {
      const nextAt = nowSeconds() + (rule.seconds ?? 0);
      service.transact((tx) => tx.put('delivery', { ...tx.require('delivery', id), nextAt }));
    } else track(id, attempt(id, rule?.action === 'duplicate' ? (rule.copies ?? 2) : 1));
  };

  const isStartable = (id: string, upTo: number): boolean => !inFlight.has(id) && isDue(id, upTo);

  const hasDue = (upTo: number): boolean => {
    if (!isHeld && !isClosed) for (const id of waiting) if (isStartable(id, upTo)) return true;
    return false;
  };

  const pump = (): void => {
    const now = nowSeconds();
    for (const id of isHeld || isClosed ? [] : waiting) {
      if (inFlight.size >= maxConcurrent) return;
      if (isStartable(id, now)) start(id);
    }
    if (inFlight.size > 0 || hasDue(nowSeconds())) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  };

  let isPumpScheduled = false;
  service.onCommit((changes) => {
    for (const [kind, id, row] of changes)
      if (kind === 'delivery' && row?.state === 'waiting') waiting.add(id);
    if (isPumpScheduled) return;
    isPumpScheduled = true;
    // After the answer to the request that has made the events.
    setImmediate(() => {
      isPumpScheduled = false;
      pump();
    });
  });

  return {
    rules,
    pump,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        pump();
      }),
    hold: () => {
      isHeld = true;
    },
    isHeld: () => isHeld,
    release: async (order = [], onlyThese = false) => {
      for (const id of order) {
        seen.add(id);
        await attempt(id, 1);
      }
      isHeld = onlyThese;
      pump();
    },
    resend: async (id) => {
      const event = tables.get('event', id);
      if (!event) throw new Error(`No such event: ${id}`);
      const last = await send(event);
      record(id, last);
      return last;
    },
    setTimestampOffset: (seconds) => {
      offset = seconds;
    },
    nextDue: (upTo) => {
      // The clock must not move while a signature with its time is on the way.
      if (inFlight.size > 0) return nowSeconds();
      if (isHeld || isClosed) return undefined;
      const times = [...waiting]
        .filter((id) => isDue(id, upTo))
        .map((id) => tables.get('delivery', id)?.nextAt ?? upTo);
      return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));
    },
    close: async () => {
      isClosed = true;
      retries.close();
      await Promise.all(inFlight.values());
    },
  };
};
