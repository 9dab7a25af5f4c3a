import { dispatch, type Dispatch, type EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import { isSamePlan, paidPlans, planKey, type Plan } from '@tapedeck/plans/contract';
import type { Databases } from '@tapedeck/platform/databases';
import { jobObjects } from '@tapedeck/platform/job-objects';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { subscriptions } from '../domain/decide-subscription.ts';
import { priceChanges, priceStream, type Announcement, type PriceChange } from '../domain/price-change.ts';
import type { ApplyPrice, NoticePrice, WithdrawPriceNotice } from '../domain/price-notice.ts';
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
 * Subscriptions whose owner was notified of what was withdrawn since. And while a price is announced those at another amount whose
 * owner was not notified, or whose renewal at the new one is near: more than are concerned, and never less.
 */
const concernedSql = `
  (select subscription_id from price_notices where announcement_id = any($1) and subscription_id > $2
    order by subscription_id limit ${pageSize})
  union
  (select s.subscription_id
     from queued_subscriptions s join queued_owners o using (subscription_id)
          left join price_notices n using (subscription_id)
    where $3 and s.tier = $4 and s.period = $5 and s.currency = $6 and s.amount <> $7 and s.ends_at is null
      and (n.announcement_id is distinct from $8 or n.account_id <> o.account_id or n.due_at <= $9)
      and s.subscription_id > $2
    order by s.subscription_id limit ${pageSize})
   order by subscription_id limit ${pageSize}`;

type Row = Readonly<{ subscription_id: string }>;

/** The ids after one of them. */
type Page = (after: string) => Promise<readonly Row[]>;

type Sweep = Readonly<{
  page: Page;
  dispatches: (subscriptionId: string, now: string) => readonly Dispatch[];
}>;

type PriceCommand = NoticePrice | ApplyPrice | WithdrawPriceNotice;

/** Notifies further owners, and applies what is due. A price that is not sold any more is announced to no further owner. */
const announcing = (announcement: Announcement, now: string, isSold: boolean): readonly PriceCommand[] => {
  const apply = { type: 'ApplyPrice', announcementId: announcement.announcementId, now } as const;
  return isSold ? [{ type: 'NoticePrice', announcement, now }, apply] : [apply];
};

/** What was withdrawn is undone first, whatever was announced since. */
const sweepOf = (
  state: PriceChange,
  now: string,
  { prices, databases }: AnnouncedPricesPorts,
): Sweep | undefined => {
  if (state.status === 'none') return undefined;
  const { announcement, withdrawn } = state;
  const { announcementId, plan, amount, currency } = announcement;
  const isAnnounced = state.status === 'announced';
  const sold = prices.find((price) => isSamePlan(price, plan));
  const isSold = sold?.amount === amount && sold.currency === currency;
  const undone = (at: string): readonly PriceCommand[] =>
    withdrawn.length === 0 ? [] : [{ type: 'WithdrawPriceNotice', announcementIds: withdrawn, now: at }];
  return {
    page: async (after) => {
      const terms = [plan.tier, plan.period, currency, amount, announcementId, now];
      const values = [withdrawn, after, isAnnounced, ...terms];
      return (await databases.tapedeck.query<Row>(concernedSql, values)).rows;
    },
    dispatches: (subscriptionId, at) =>
      [...undone(at), ...(isAnnounced ? announcing(announcement, at, isSold) : [])].map((command) =>
        dispatch(subscriptions, subscriptionStream(subscriptionId), command),
      ),
  };
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
