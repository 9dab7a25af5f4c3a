import { handle, type EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { appendStripeEvent, eventOfBody } from './inbox.ts';
import { stripeEventDecider, stripeEvents } from './domain/stripe-event.ts';
import type { StripeReads } from './port.ts';

export type StripeJobsPorts = Readonly<{
  stripe: Pick<StripeReads, 'listEvents'>;
  store: EventStore;
  clock: Clock;
  logger: Logger;
}>;

const minuteMs = 60_000;
/** Stripe lists events of 30 days. */
const listedMs = 30 * 24 * 60 * minuteMs;
/** So that an event that was created just before the last run, and was not listed then, is fetched by the next one. */
const overlapMs = 10 * minuteMs;

const system = { id: 'system', kind: 'system' } as const;

/** The beginning of a window that leaves out nothing since the last run. */
const windowStart = (now: string, lastSuccessAt: string | null): string => {
  const last = lastSuccessAt === null ? 0 : Date.parse(lastSuccessAt) - overlapMs;
  return new Date(Math.max(last, Date.parse(now) - listedMs)).toISOString();
};

/** Puts events on the tape whose webhooks have not arrived, as if they had. */
const undeliveredEvents = ({ stripe, store, clock, logger }: StripeJobsPorts): Job => {
  const receive = handle(store, stripeEventDecider, stripeEvents);
  return {
    name: 'stripe-undelivered-events',
    intervalMs: 5 * minuteMs,
    run: async ({ now, lastSuccessAt, signal }) => {
      let found = 0;
      const since = windowStart(now, lastSuccessAt);
      for await (const { body } of stripe.listEvents({ since, undeliveredOnly: true })) {
        if (signal.aborted) return;
        const event = eventOfBody(body);
        if (!event) continue;
        const received = { ...event, source: 'reconciliation' } as const;
        if (await appendStripeEvent(receive, received, { actor: system, clock })) found++;
      }
      if (found > 0) logger.warn({ found, since }, 'events of Stripe were missing and have been fetched');
    },
  };
};

/** What is repeated at intervals. */
export const stripeJobs = (ports: StripeJobsPorts): readonly Job[] => [undeliveredEvents(ports)];
