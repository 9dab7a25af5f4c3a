import { dayMs } from '@tapedeck/kernel';
import { setImmediate } from 'node:timers/promises';
import { jobStatuses } from '@tapedeck/platform/job-status';
import { dailyCounts } from '@tapedeck/platform/daily-counts';
import type pg from 'pg';
import type { Figures } from '../contract.ts';
import { figuresOfPieces, type DailyFigures, type Facts } from '../domain/daily-figures.ts';
import { daysUntil, type Days } from '../domain/days.ts';
import { piecesOf, type Piece } from '../domain/purchase.ts';
import {
  factsOf,
  type FailureRow,
  type FigureRows,
  type OwnerRow,
  type PaymentRow,
  type PurchaseRow,
  type RefundRow,
} from './figure-rows.ts';

/** The job that compares every subscription. */
const sweepName = 'stripe-every-subscription';
/** As the receiver of webhooks counts them. */
const wronglySignedName = 'webhook-signature-invalid';

const ownersSql = 'select purchase, version, member, claimed_at from figure_owners';
const purchasesSql =
  'select purchase, phase, tier, period, ends_at, ended_at, recorded_at from figure_purchases';
/** Of what is over before the first day only the first payment, which says that a member is not new. */
const paymentsSql = `
  select invoice, purchase, charge, amount, currency, tier, period, period_end, paid_at from (
    select *, row_number() over (partition by purchase order by paid_at, invoice) as place from figure_payments) numbered
   where place = 1 or period_end >= $1`;
const refundsSql =
  'select refund, purchase, invoice, charge, amount, status, refunded_at from figure_refunds';
const failuresSql = `
  select f.failed_at, p.paid_at from figure_failures f left join figure_payments p using (invoice)
   where f.failed_at >= $1 or p.paid_at >= $1`;
const webhookSql = `select received_ms from figure_webhooks where source = 'webhook'`;

/** All rows as they are at one moment. */
const readRows = async (
  pool: pg.Pool,
  from: Date,
): Promise<FigureRows & Readonly<{ webhookMs: number | null }>> => {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const owners = await client.query<OwnerRow>(ownersSql);
    const purchases = await client.query<PurchaseRow>(purchasesSql);
    const payments = await client.query<PaymentRow>(paymentsSql, [from]);
    const refunds = await client.query<RefundRow>(refundsSql);
    const failures = await client.query<FailureRow>(failuresSql, [from]);
    const webhook = await client.query<{ received_ms: string }>(webhookSql);
    await client.query('commit');
    const receivedMs = webhook.rows[0]?.received_ms;
    return {
      owners: owners.rows,
      purchases: purchases.rows,
      payments: payments.rows,
      refunds: refunds.rows,
      failures: failures.rows,
      webhookMs: receivedMs === undefined ? null : Number(receivedMs),
    };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};

const sweepOf = async (pool: pg.Pool): Promise<Figures['sweep']> => {
  const job = (await jobStatuses(pool)).find(({ name }) => name === sweepName);
  return {
    lastAt: job?.lastSuccessAt ?? null,
    isUnderWay: job?.isUnderWay ?? false,
    lastError: job?.lastError ?? null,
  };
};

const wronglySignedOf = async (pool: pg.Pool, { names }: Days): Promise<readonly number[]> => {
  const counts = await dailyCounts(pool, wronglySignedName, names[0] ?? '');
  return names.map((day) => counts.get(day) ?? 0);
};

const purchasesInSlice = 200;

/** In slices, so that other requests are answered meanwhile. */
const countInSlices = async ({ purchases, failed, graceMs }: Facts, days: Days): Promise<DailyFigures> => {
  const pieces: Piece[] = [];
  for (const [index, purchase] of purchases.entries()) {
    if (index % purchasesInSlice === 0) await setImmediate();
    for (const piece of piecesOf(purchase, graceMs)) pieces.push(piece);
  }
  return figuresOfPieces(pieces, failed, days);
};

/** All figures at an instant. */
export const readFigures = async (pool: pg.Pool, now: number, graceDays: number): Promise<Figures> => {
  const days = daysUntil(now);
  const graceMs = graceDays * dayMs;
  const { webhookMs, ...rows } = await readRows(pool, new Date(days.startMs - graceMs));
  const { members, revenue, ...series } = await countInSlices(factsOf(rows, graceMs), days);
  return {
    readAt: new Date(now).toISOString(),
    days: [...days.names],
    members: members.map((plan) => ({ ...plan, active: [...plan.active] })),
    revenue: revenue.map(({ currency, amounts }) => ({ currency, amounts: [...amounts] })),
    joined: [...series.joined],
    returned: [...series.returned],
    churned: [...series.churned],
    failed: [...series.failed],
    recovered: [...series.recovered],
    wronglySigned: [...(await wronglySignedOf(pool, days))],
    lastWebhookAt: webhookMs === null ? null : new Date(webhookMs).toISOString(),
    sweep: await sweepOf(pool),
  };
};
