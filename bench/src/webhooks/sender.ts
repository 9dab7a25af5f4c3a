import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { Sent, Webhooks } from './send-webhooks.ts';

type Signed = Readonly<{ body: Buffer; signature: string }>;

const requestTimeoutMs = 60_000;

const signed = (body: string, secret: string): Signed => {
  const timestamp = Math.floor(Date.now() / 1_000);
  const hash = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { body: Buffer.from(body), signature: `t=${timestamp},v1=${hash}` };
};

const post = (url: URL, agent: Agent, { body, signature }: Signed): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'stripe-signature': signature,
    };
    const options = { method: 'POST', agent, headers, timeout: requestTimeoutMs };
    const outgoing = request(url, options, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.once('error', reject);
    outgoing.end(body);
  });

const run = async ({ url, file, from, to, connections, secret }: Webhooks): Promise<Sent> => {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(from, to);
  const webhooks = lines.map((line) => signed(JSON.parse(line) as string, secret));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const target = new URL(url);
  const latenciesMs: number[] = [];
  const answers: Record<string, number> = {};
  const waiting = webhooks.values();
  const sendNext = async (): Promise<void> => {
    for (const webhook of waiting) {
      const startedAt = performance.now();
      const answer = await post(target, agent, webhook).catch((error: unknown) => String(error));
      latenciesMs.push(performance.now() - startedAt);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, sendNext));
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  agent.destroy();
  return { latenciesMs, elapsedMs, answers, cpuMs: (user + system) / 1_000 };
};

process.once('disconnect', () => process.exit(1));
process.once('message', (webhooks: Webhooks) => {
  void run(webhooks).then((sent) =>
    process.send?.(sent, () => {
      process.removeAllListeners('disconnect');
      process.disconnect();
    }),
  );
});
