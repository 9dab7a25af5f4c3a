import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const plans = ['pro', 'elite', 'pro-annual', 'elite-annual'] as const;
const buyersAtOnce = 8;

/** In the place of the product it takes the webhooks of the stand-in, so that the benchmark sends them when it wants to. */
export type WebhookReceiver = Readonly<{
  url: string;
  /** The bodies as they were sent, one of each event. */
  bodies: () => readonly string[];
  close: () => Promise<void>;
}>;

export const startReceiver = async (): Promise<WebhookReceiver> => {
  const received = new Map<string, string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.set((JSON.parse(body) as { id: string }).id, body);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    bodies: () => [...received.values()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Begins a purchase by e-mail, which is a command of the product; returns the address of the page to pay on. */
export const startCheckout = async (origin: string, email: string, plan = 'pro'): Promise<string> => {
  const answer = await fetch(`${origin}/api/create-${plan}-subscription-anonymous`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`The checkout was answered with ${answer.status}: ${text}`);
  return (JSON.parse(text) as { checkoutUrl: string }).checkoutUrl;
};

const pay = async (checkoutUrl: string): Promise<void> => {
  const answer = await fetch(checkoutUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'card=ok',
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  if (answer.status !== 303) throw new Error(`The payment was answered with ${answer.status}.`);
};

/** Everybody buys a plan, and the webhooks of all purchases are with the receiver. */
export const buyAll = async (origin: string, sandbox: string, customers: number): Promise<void> => {
  const numbers = Array.from({ length: customers }, (_, at) => at).values();
  const buyer = async (): Promise<void> => {
    for (const at of numbers)
      await pay(await startCheckout(origin, `buyer-${at}@example.com`, plans[at % plans.length]));
  };
  await Promise.all(Array.from({ length: buyersAtOnce }, buyer));
  const idle = await fetch(`${sandbox}/_control/stripe/deliveries/idle`, { method: 'POST' });
  if (!idle.ok) throw new Error(`The stand-in has not sent its webhooks: ${await idle.text()}`);
};
