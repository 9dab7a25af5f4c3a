import { fastify } from 'fastify';
import { systemClock } from '@tapedeck/kernel';
import { registerStripe } from '../register.ts';

/** A stand-in in a process of its own, for tests that kill it. */
const [dataFolder = '', port = '0'] = process.argv.slice(2);
const app = fastify({ forceCloseConnections: true });
await registerStripe(app, {
  clock: { now: systemClock.now, advanceTo: () => Promise.resolve(), addWork: () => {} },
  dataFolder,
  origins: [],
  webhookUrl: 'http://127.0.0.1:9/',
  publicUrl: 'http://stripe.sandbox',
  onError: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${await app.listen({ port: Number(port), host: '127.0.0.1' })}\n`);
