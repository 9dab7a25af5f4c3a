import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** How long open connections may still send the request that they were opened for. */
const drainTimeoutMs = 1_000;
const pollIntervalMs = 20;

const draining = new WeakSet<object>();

export const isDraining = (server: object): boolean => draining.has(server);

/** While the server drains, each answer closes its connection, so that clients send no further request on it. */
export const registerDraining = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining(fastify.server)) void reply.header('connection', 'close');
    done(null, payload);
  });
};

const openConnections = (server: HttpServer): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

/** It listens on until no connection and no request has come for so long, but not for longer than `maxLingerMs`. */
const quietMs = 500;
const maxLingerMs = 5_000;

/** Resolves when load balancers, which see that it is not ready, send nothing any more. */
const untilQuiet = async (server: HttpServer): Promise<void> => {
  const deadline = performance.now() + maxLingerMs;
  let lastAt = performance.now();
  const notice = (): void => {
    lastAt = performance.now();
  };
  server.on('connection', notice).on('request', notice);
  while (performance.now() < Math.min(lastAt + quietMs, deadline)) await setTimeout(pollIntervalMs);
  server.off('connection', notice).off('request', notice);
};

/**
 * Resolves when the kernel keeps no connection that the process has not accepted: Node.js accepts one per iteration of
 * its event loop.
 */
const untilAllAccepted = async (server: HttpServer): Promise<void> => {
  const deadline = performance.now() + drainTimeoutMs;
  let hasAccepted = true;
  const notice = (): void => {
    hasAccepted = true;
  };
  server.on('connection', notice);
  while (hasAccepted && performance.now() < deadline) {
    hasAccepted = false;
    // The first iteration may be under way already, behind its phase of accepting.
    await setImmediate();
    await setImmediate();
  }
  server.off('connection', notice);
};

/**
 * Answers every request that comes meanwhile, and stops listening. It listens on for a moment: closing the socket at
 * once would reset the connections that the kernel has accepted and the process has not. A new connection seems idle
 * until its request arrives: closing the HTTP server at once would reset it.
 */
export const drain = async (app: NestFastifyApplication): Promise<void> => {
  const server = app.getHttpServer();
  draining.add(server);
  await untilQuiet(server);
  await untilAllAccepted(server);
  // The `close` of the HTTP server would also close the connections that seem idle.
  Server.prototype.close.call(server);
  const deadline = performance.now() + drainTimeoutMs;
  while (performance.now() < deadline && (await openConnections(server)) > 0) {
    await setTimeout(pollIntervalMs);
  }
};
