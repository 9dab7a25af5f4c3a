import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dumpReadModel, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually } from '@tapedeck/eventing/testing';
import { Figures, figuresRoutes } from '@tapedeck/figures/contract';
import { figures } from '@tapedeck/figures/testing';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { newId } from '@tapedeck/kernel';
import { serveMetrics, type MetricsServer } from '@tapedeck/platform/metrics';
import { buyAs, buyByEmail, memberAt, personAt, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
let metrics: MetricsServer;
beforeAll(async () => {
  product = await startPaymentsProduct();
  metrics = await serveMetrics(0, '127.0.0.1');
}, 120_000);
afterAll(async () => {
  await metrics.close();
  await product.close();
});

const daySeconds = 86_400;

const adminAt = async (): Promise<Person> => {
  const email = 'admin@example.com';
  await memberAt(product, email);
  const { product: opened, clock } = product;
  const output = { write: () => undefined };
  const options = { store: opened.store, pool: opened.databases.tapedeck, clock, output, errors: output };
  await runRoleCommand({ ...options, args: ['grant', 'admin', email] });
  return memberAt(product, email);
};

const read = async (admin: Person): Promise<Figures> => {
  const { status, body } = await admin.get(figuresRoutes.figures);
  expect(status).toBe(200);
  return Figures.parse(body);
};

/** Of the current day. */
const now = (shown: Figures): unknown => ({
  active: shown.members
    .filter(({ active }) => (active.at(-1) ?? 0) > 0)
    .map(({ tier, period, active }) => `${active.at(-1)} ${tier} ${period}`),
  revenue: shown.revenue.map(({ currency, amounts }) => `${amounts.at(-1)} ${currency}`),
  joined: shown.joined.at(-1),
  returned: shown.returned.at(-1),
  churned: shown.churned.at(-1),
  failed: shown.failed.at(-1),
  recovered: shown.recovered.at(-1),
  wronglySigned: shown.wronglySigned.at(-1),
});
const none = {
  active: [],
  revenue: [],
  joined: 0,
  returned: 0,
  churned: 0,
  failed: 0,
  recovered: 0,
  wronglySigned: 0,
};

/** Figures are up to a second old. */
const expectNow = async (admin: Person, expected: object): Promise<Figures> => {
  await product.settled();
  let shown: Figures | undefined;
  await eventually(async () => {
    shown = await read(admin);
    expect(now(shown)).toEqual({ ...none, ...expected });
  });
  return shown ?? read(admin);
};

const total = (series: readonly number[]): number => series.reduce((sum, value) => sum + value, 0);

const metricsText = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();

const advance = async (days: number): Promise<Person> => {
  await product.control('/clock', { seconds: days * daySeconds });
  await product.settled();
  return adminAt();
};

const sendUnsigned = (): Promise<Response> =>
  fetch(`${product.url}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
    body: '{}',
  });

describe('the figures', () => {
  const email = `ann-${newId()}@example.com`;
  let customer: unknown;
  let subscription: unknown;

  it('are zero before the first member, for each day of 13 months in UTC', async () => {
    const shown = await expectNow(await adminAt(), {});
    expect(shown.days.length).toBeGreaterThan(390);
    expect(shown.days.at(-1)).toBe(new Date(product.clock.now()).toISOString().slice(0, 10));
    for (const { active } of shown.members) expect(active).toHaveLength(shown.days.length);
    expect(shown.lastWebhookAt).toBeNull();
  });

  it('count a member with the price that was really charged, and no purchase without an owner', async () => {
    const sessionId = await buyAs(await memberAt(product, email));
    await buyByEmail(personAt(product), `mail-${newId()}@example.com`, 'elite');
    await product.settled();
    const session = await product.stripe.checkout.sessions.retrieve(sessionId);
    [customer, subscription] = [session.customer, session.subscription];
    const shown = await expectNow(await adminAt(), {
      active: ['1 Pro monthly'],
      revenue: ['499 usd'],
      joined: 1,
    });
    expect(shown.lastWebhookAt).not.toBeNull();
  });

  it('count webhooks that are wrongly signed, and leave the newest webhook as it was', async () => {
    const admin = await adminAt();
    const before = await read(admin);
    for (const answer of await Promise.all([sendUnsigned(), sendUnsigned()])) expect(answer.status).toBe(400);
    const shown = await expectNow(admin, {
      active: ['1 Pro monthly'],
      revenue: ['499 usd'],
      joined: 1,
      wronglySigned: 2,
    });
    expect(shown.lastWebhookAt).toBe(before.lastWebhookAt);
  });

  it('count a failed renewal once, keep the member for the grace, and count the payment that recovers it', async () => {
    await product.control('/card', { customer, card: 'declined' });
    let admin = await advance(36);
    const failing = await read(admin);
    expect(total(failing.failed)).toBe(1);
    expect(total(failing.recovered)).toBe(0);
    expect(now(failing)).toMatchObject({ active: ['1 Pro monthly'], revenue: ['499 usd'] });
    await product.control('/card', { customer, card: 'ok' });
    admin = await advance(5);
    await eventually(async () => {
      const shown = await read(admin);
      expect([total(shown.failed), total(shown.recovered)]).toEqual([1, 1]);
      expect(now(shown)).toMatchObject({ active: ['1 Pro monthly'], revenue: ['999 usd'] });
      expect(shown.sweep.lastAt).not.toBeNull();
    });
  }, 60_000);

  it('are in the metrics', async () => {
    const text = await metricsText();
    expect(text).toContain('figures_active_members{tier="Pro",period="monthly"} 1');
    expect(text).toContain('figures_active_members{tier="Elite",period="annual"} 0');
    expect(text).toContain('figures_monthly_recurring_revenue{currency="usd"} 999');
    expect(text).toContain('figures_members_today{change="new"} 0');
    expect(text).toContain('figures_failed_payments_today{outcome="recovered"}');
    expect(text).toMatch(/figures_webhooks_wrongly_signed_today \d+\n/);
    expect(text).toMatch(/figures_last_webhook_age_seconds \d+/);
    expect(text).toMatch(/figures_last_sweep_age_seconds \d+/);
  });

  it('name nobody, and keep the past when the account is deleted', async () => {
    const admin = await adminAt();
    const before = await read(admin);
    const member = await memberAt(product, email);
    const { id } = (await member.get('/api/auth/user')).body;
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    const shown = await expectNow(admin, {
      churned: 1,
      recovered: before.recovered.at(-1) ?? 0,
      revenue: ['0 usd'],
    });
    const past = ({ members, joined, revenue }: Figures): unknown => [
      members.map(({ active }) => active.slice(0, -1)),
      joined,
      revenue.map(({ amounts }) => amounts.slice(0, -1)),
    ];
    expect(past(shown)).toEqual(past(before));
    const { tapedeck } = product.product.databases;
    const rows = await dumpReadModel(tapedeck, figures);
    for (const name of [id, subscription, customer, email]) expect(rows).not.toContain(String(name));
  }, 60_000);

  it('are the same after a rebuild', async () => {
    await product.settled();
    const { store, databases } = product.product;
    await rebuildInto({ store, projection: figures, pool: databases.tapedeck });
    const rebuilt = await dumpReadModel(databases.tapedeck, figures, '_check');
    expect(rebuilt).toBe(await dumpReadModel(databases.tapedeck, figures));
  });
});
