// What anybody would write first: the signature is checked, and the body is inserted under its id.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { steadyPool } from '../databases.ts';
import { webhookPath, webhookSecret } from './processes.ts';

const connections = 32;
const toleranceSeconds = 300;

const isSigned = (body: Buffer, header: string): boolean => {
  const [, timestamp = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const hash = createHmac('sha256', webhookSecret).update(`${timestamp}.`).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < toleranceSeconds;
  return isRecent && given.length === hash.length && timingSafeEqual(given, hash);
};

const pool = steadyPool(process.env['DATABASE_URL'] ?? '', connections);
await pool.query('create table received (id text primary key, body text not null)');

const app = fastify({ forceCloseConnections: true });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post(webhookPath, async (request, reply) => {
  const body = request.body as Buffer;
  if (!isSigned(body, String(request.headers['stripe-signature']))) return reply.status(400).send();
  const text = body.toString();
  const { id } = JSON.parse(text) as { id: string };
  await pool.query({
    name: 'insert',
    text: 'insert into received (id, body) values ($1, $2) on conflict do nothing',
    values: [id, text],
  });
  return { received: true };
});
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

const stop = (): void => {
  void app
    .close()
    .then(() => pool.end())
    .then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('disconnect', stop);
process.send?.({ type: 'ready', port });
