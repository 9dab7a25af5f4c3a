import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** How long connections that are just open may still bring their request, in milliseconds. */
const patience = 1_000;
const lookEvery = 20;

const draining = new WeakSet<object>();

/** Answers given while draining end their connection, so that no client sends another request on it. */
export const registerDraining = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.has(fastify.server)) void reply.header('connection', 'close');
    done(null, payload);
  });
};

const openConnections = (server: HttpServer): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

/**
 * Stops listening and answers what has been accepted. A connection that was accepted a moment ago has not
 * brought its request yet and looks idle: closing the HTTP server at once would reset it.
 */
export const drain = async (app: NestFastifyApplication): Promise<void> => {
  const server = app.getHttpServer();
  draining.add(server);
  // Not the close of an HTTP server, which also ends the connections that look idle.
  Server.prototype.close.call(server);
  const until = performance.now() + patience;
  while (performance.now() < until && (await openConnections(server)) > 0) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
};
