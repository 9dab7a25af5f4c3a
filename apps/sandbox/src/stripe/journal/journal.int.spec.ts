import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buy, clientOf, openCheckout, pay, startStandIn } from '../testing/stand-in.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapedeck-stripe-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const serverFile = fileURLToPath(new URL('../../../dist/stripe/testing/crashing-server.js', import.meta.url));

const startServer = async (): Promise<Readonly<{ url: string; child: ChildProcess }>> => {
  const child = spawn(process.execPath, [serverFile, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [url] = (await once(lines, 'line')) as [string];
  return { url, child };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

const onDisk = async (): Promise<string> => {
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
};

describe('the journal', () => {
  it('has every answered change after the process is killed in the middle of its work', async () => {
    const answered = new Map<string, string>();
    for (let round = 0; round < 2; round++) {
      const { url, child } = await startServer();
      const stripe = clientOf(url);
      let isRunning = true;
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; isRunning; n++) {
          const key = `key-${round}-${writer}-${n}`;
          const customer = await stripe.customers.create({ name: key }, { idempotencyKey: key });
          answered.set(key, customer.id);
          // Killed while the other writers have requests under way.
          if (answered.size >= (round + 1) * 40 && isRunning) {
            isRunning = false;
            await kill(child);
          }
        }
      };
      await Promise.allSettled([0, 1, 2, 3].map(write));
    }
    const { url, child } = await startServer();
    const stripe = clientOf(url);
    for (const [key, id] of answered)
      expect((await stripe.customers.create({ name: key }, { idempotencyKey: key })).id).toBe(id);
    const all = await stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
    const names = all.map(({ name }) => name);
    // One for each key, and at most those whose answer the kill has prevented beside them.
    expect(new Set(names).size).toBe(names.length);
    await kill(child);
  });

  it('drops a last line that was cut off', async () => {
    const first = await startStandIn({ dataFolder: folder });
    const { id } = await first.stripe.customers.create({ email: 'a@example.com' });
    await first.close();
    appendFileSync(join(folder, 'stripe.journal'), '[["customer","cus_cut",{"id":"cus_');
    const second = await startStandIn({ dataFolder: folder });
    expect((await second.stripe.customers.list()).data.map((customer) => customer.id)).toEqual([id]);
    expect((await stat(join(folder, 'stripe.journal'))).mode & 0o777).toBe(0o600);
    await second.close();
  });

  it('lets a restarted stand-in renew, repeat a stored answer and send what was not received', async () => {
    const first = await startStandIn({ dataFolder: folder });
    const { id, items } = await buy(first);
    const update = { metadata: { note: 'x' } };
    await first.delivered();
    first.receiver.answer(500);
    await first.stripe.subscriptions.update(id, update, { idempotencyKey: 'stored' });
    await first.standIn.delivered();
    await first.close();
    const second = await startStandIn({ dataFolder: folder, clock: first.clock });
    // The webhook that was never received.
    await second.standIn.delivered();
    expect(second.receiver.events.map(({ type }) => type)).toEqual(['customer.subscription.updated']);
    const again = await second.stripe.subscriptions.update(id, update, { idempotencyKey: 'stored' });
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await second.advanceTo((items.data[0]?.current_period_end ?? 0) + 3_600);
    expect((await second.stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
    await second.close();
    expect(second.errors).toEqual([]);
  });
});

describe('forgetting a customer', () => {
  it.each(['deletion', 'an update that empties e-mail and name'])(
    'by %s leaves nothing of the person on disk, and everything of others',
    async (way) => {
      const standIn = await startStandIn({ dataFolder: folder });
      const email = 'forget.me@example.com';
      const abandoned = await standIn.stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
        customer_email: email,
        success_url: 'http://127.0.0.1:4999/done',
      });
      await standIn.stripe.checkout.sessions.expire(abandoned.id);
      await buy(standIn, { email: 'other@example.com' });
      const { customer, id } = await buy(standIn, { email });
      const person = String(customer);
      await standIn.stripe.customers.update(person, { name: 'Forget Me' }, { idempotencyKey: 'named' });
      expect(await onDisk()).toContain('Forget Me');
      if (way === 'deletion') await standIn.stripe.customers.del(person);
      else await standIn.stripe.customers.update(person, { email: '', name: '' });
      await standIn.delivered();
      const text = await onDisk();
      expect(text).not.toContain('forget.me');
      expect(text).not.toContain('Forget Me');
      expect(text).toContain('other@example.com');
      expect(await standIn.stripe.subscriptions.retrieve(id)).toMatchObject({
        status: way === 'deletion' ? 'canceled' : 'active',
      });
      await standIn.close();
    },
  );

  it('leaves the state of an unfinished purchase usable', async () => {
    const standIn = await startStandIn({ dataFolder: folder });
    const { id } = await standIn.stripe.customers.create({ email: 'a@example.com', name: 'A' });
    const session = await openCheckout(standIn, { customer: id });
    await standIn.stripe.customers.update(id, { email: '', name: '' });
    expect((await pay(standIn, session)).status).toBe(303);
    await standIn.close();
  });
});
