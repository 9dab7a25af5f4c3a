import { dispatch, type Dispatch, type EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import { isSamePlan, paidPlans, planKey, type Plan } from '@tapedeck/plans/contract';
import type { Databases } from '@tapedeck/platform/databases';
import { jobObjects } from '@tapedeck/platform/job-objects';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { subscriptions } from '../domain/decide-subscription.ts';
import { priceChanges, priceStream, type Announcement, type PriceChange } from '../domain/price-change.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { PlanPrice } from '../prices/plan-prices.ts';
import { directCommands } from '../recording/direct-commands.ts';

export type AnnouncedPricesPorts = Readonly<{
  /** What is sold. */
  prices: readonly PlanPrice[];
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const name = 'announced-prices';
const intervalMs = 10 * 60_000;
const pageSize = 200;

/**
 * Subscriptions at another amount whose owner was not notified, or whose renewal at the new one is near: more than are concerned,
 * and never less.
 */
const concernedSql = `
  select s.subscription_id
    from queued_subscriptions s join queued_owners o using (subscription_id)
         left join price_notices n using (subscription_id)
   where s.tier = $1 and s.period = $2 and s.currency = $3 and s.amount <> $4 and s.ends_at is null
     and (n.announcement_id is distinct from $5 or n.account_id <> o.account_id or n.due_at <= $6)
     and s.subscription_id > $7
   order by s.subscription_id limit ${pageSize}`;

const notifiedSql = `
  select subscription_id from price_notices where announcement_id = $1 and subscription_id > $2
   order by subscription_id limit ${pageSize}`;

type Row = Readonly<{ subscription_id: string }>;

/** The ids after one of them. */
type Page = (after: string) => Promise<readonly Row[]>;

type Sweep = Readonly<{
  page: Page;
  dispatches: (subscriptionId: string, now: string) => readonly Dispatch[];
}>;

/** Notifies further owners, and applies what is due. A price that is not sold any more is announced to no further owner. */
const announcing = (announcement: Announcement, now: string, ports: AnnouncedPricesPorts): Sweep => {
  const { announcementId, plan, amount, currency } = announcement;
  const sold = ports.prices.find((price) => isSamePlan(price, plan));
  const isSold = sold?.amount === amount && sold.currency === currency;
  return {
    page: async (after) => {
      const values = [plan.tier, plan.period, currency, amount, announcementId, now, after];
      return (await ports.databases.tapedeck.query<Row>(concernedSql, values)).rows;
    },
    dispatches: (subscriptionId, at) => {
      const stream = subscriptionStream(subscriptionId);
      const apply = dispatch(subscriptions, stream, { type: 'ApplyPrice', announcementId, now: at });
      if (!isSold) return [apply];
      return [dispatch(subscriptions, stream, { type: 'NoticePrice', announcement, now: at }), apply];
    },
  };
};

/** Notifies the same owners that the price stays. */
const withdrawing = ({ announcementId }: Announcement, { databases }: AnnouncedPricesPorts): Sweep => ({
  page: async (after) => (await databases.tapedeck.query<Row>(notifiedSql, [announcementId, after])).rows,
  dispatches: (subscriptionId, now) => [
    dispatch(subscriptions, subscriptionStream(subscriptionId), {
      type: 'WithdrawPriceNotice',
      announcementId,
      now,
    }),
  ],
});

const sweepOf = (state: PriceChange, now: string, ports: AnnouncedPricesPorts): Sweep | undefined => {
  if (state.status === 'none') return undefined;
  const { announcement } = state;
  return state.status === 'announced'
    ? announcing(announcement, now, ports)
    : withdrawing(announcement, ports);
};

/** How far a run has come: the plan, and a subscription of it. */
const cursorOf = (cursor: string | null): readonly [plan: string, after: string] => {
  const [plan = '', after = ''] = (cursor ?? '').split(' ');
  return [plan, after];
};

/**
 * Tells the members of a plan of its new price, and of a withdrawal; and requests of Stripe what the due dates could not. A
 * run that was stopped continues where it was, and each subscription has its own outcome.
 */
export const announcedPrices = (ports: AnnouncedPricesPorts): Job => ({
  name,
  intervalMs,
  run: async ({ now, cursor, saveCursor, signal }) => {
    const { store, databases, clock } = ports;
    const { read, send } = directCommands(store, clock);
    const objects = await jobObjects({ ...ports, job: name, pool: databases.tapedeck });
    // An announcement may be withdrawn during a run: each page is of what holds then.
    const sweepFor = async (plan: Plan): Promise<Sweep | undefined> =>
      sweepOf(await read(priceChanges, priceStream(plan)), now, ports);
    const handle = (id: string, sweeps: readonly Sweep[]): Promise<void> => {
      signal.throwIfAborted();
      return objects.handle(id, () =>
        send(sweeps.flatMap(({ dispatches }) => dispatches(id, isoNow(clock)))),
      );
    };

    const failed = await objects.due();
    if (failed.length > 0) {
      const sweeps = (await Promise.all(paidPlans.map(sweepFor))).filter((sweep) => sweep !== undefined);
      for (const id of failed) await handle(id, sweeps);
    }
    const [begunPlan, begunAfter] = cursorOf(cursor);
    const begun = paidPlans.findIndex((plan) => planKey(plan) === begunPlan);
    for (const plan of paidPlans.slice(Math.max(begun, 0))) {
      let after: string | undefined = planKey(plan) === begunPlan ? begunAfter : '';
      while (after !== undefined) {
        const sweep = await sweepFor(plan);
        const page: readonly Row[] = sweep ? await sweep.page(after) : [];
        for (const { subscription_id: id } of page) await handle(id, sweep ? [sweep] : []);
        after = page.at(-1)?.subscription_id;
        if (after !== undefined) await saveCursor(`${planKey(plan)} ${after}`);
      }
    }
  },
});
