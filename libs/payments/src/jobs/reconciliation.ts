import type { EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { jobObjects } from '@tapedeck/platform/job-objects';
import type { Job } from '@tapedeck/platform/schedule';
import { finalStatuses } from '../domain/subscription.ts';
import { announcedPrices } from './announced-prices.ts';
import { moneyFindings } from './money-findings.ts';
import { parkedRequests } from './parked-requests.ts';
import { queueMetrics } from './queue-metrics.ts';
import { refusedRequests } from './refused-requests.ts';
import type { PlanPrice } from '../prices/plan-prices.ts';
import { observeSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';
import { directCommands } from '../recording/direct-commands.ts';
import { inBackground, type ListedSubscription, type StripeReads } from '@tapedeck/stripe/port';

export type ReconciliationPorts = Readonly<{
  stripe: StripeReads;
  prices: readonly PlanPrice[];
  unclaimedRefundDays: number;
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const overdueName = 'stripe-overdue-subscriptions';
const everyName = 'stripe-every-subscription';

type Sweep = (subscriptionId: string, scope: 'newest' | 'all') => Promise<void>;

/** Reads a subscription and records what is new: that is a mismatch, since a webhook should have brought it. */
const sweepOf = ({ stripe, unclaimedRefundDays, store, clock }: ReconciliationPorts): Sweep => {
  const commands = directCommands(store, clock);
  return async (subscriptionId, scope) => {
    const snapshot = await observeSubscription(stripe, commands.read, subscriptionId, scope);
    if (!snapshot) return;
    const now = isoNow(clock);
    const options = { unclaimedRefundDays, isSweep: true, now };
    await commands.send(await recordSnapshot(snapshot, commands.read, options));
  };
};

const overdueSql = `
  select subscription_id from subscription_customers
   where period_end < $1 and stripe_status <> all($2)
   order by subscription_id`;

const knownSql = `
  select subscription_id, stripe_status from subscription_customers where subscription_id = any($1)`;

/** Subscriptions whose period is over: the renewal, or its failure, should be known by now. */
const overdueSubscriptions = (ports: ReconciliationPorts): Job => {
  const sweep = sweepOf(ports);
  return {
    name: overdueName,
    intervalMs: hourMs,
    run: ({ now, signal }) =>
      inBackground(async () => {
        const { tapedeck: pool } = ports.databases;
        const { rows } = await pool.query<{ subscription_id: string }>(overdueSql, [now, finalStatuses]);
        const objects = await jobObjects({ ...ports, job: overdueName, pool });
        const overdue = rows.map(({ subscription_id }) => subscription_id);
        for (const id of new Set([...(await objects.due()), ...overdue])) {
          signal.throwIfAborted();
          await objects.handle(id, () => sweep(id, 'newest'));
        }
      }),
  };
};

/** Of a page of Stripe's list those that may have changed: neither ended on both sides, nor of another product. */
const worthReading = async (
  page: readonly ListedSubscription[],
  { databases: { tapedeck } }: ReconciliationPorts,
): Promise<readonly string[]> => {
  const ids = page.map(({ subscriptionId }) => subscriptionId);
  const { rows } = await tapedeck.query<{ subscription_id: string; stripe_status: string }>(knownSql, [ids]);
  const known = new Map(rows.map((row) => [row.subscription_id, row.stripe_status]));
  return page
    .filter(({ subscriptionId, status, intentId, hasPlan }) => {
      const ours = known.get(subscriptionId);
      if (ours === undefined) return hasPlan || intentId !== null;
      return !finalStatuses.includes(ours) || ours !== status;
    })
    .map(({ subscriptionId }) => subscriptionId);
};

/** All of them: Stripe can fail to make an event at all. A pass that was stopped continues where it was. */
const everySubscription = (ports: ReconciliationPorts): Job => {
  const sweep = sweepOf(ports);
  return {
    name: everyName,
    intervalMs: dayMs,
    run: ({ cursor, saveCursor, signal }) =>
      inBackground(async () => {
        const objects = await jobObjects({ ...ports, job: everyName, pool: ports.databases.tapedeck });
        const readAll = async (ids: readonly string[]): Promise<void> => {
          for (const id of ids) {
            signal.throwIfAborted();
            await objects.handle(id, () => sweep(id, 'all'));
          }
        };
        await readAll(await objects.due());
        for await (const page of ports.stripe.listSubscriptions(cursor)) {
          await readAll(await worthReading(page, ports));
          const last = page.at(-1);
          if (last) await saveCursor(last.subscriptionId);
        }
      }),
  };
};

/** Subscriptions that are due every hour, and all of them every day; requests that are stuck or refused; what disagrees; and announced prices. */
export const reconciliationJobs = (ports: ReconciliationPorts): readonly Job[] => [
  overdueSubscriptions(ports),
  everySubscription(ports),
  parkedRequests(ports),
  refusedRequests(ports),
  moneyFindings(ports),
  announcedPrices(ports),
  queueMetrics(ports),
];
