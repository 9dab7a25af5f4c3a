import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExtendRouteConfig } from './route-config.ts';
import { Public } from './routes.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    webhook?: Readonly<{ maxBytes: number }>;
  }
}

/**
 * A route for another server, which proves itself by a signature over the body: no session, no check of the origin, no
 * limit of the rate (docs/product-decisions.md#limits-of-the-rate), and a body of its own maximum size.
 */
export const WebhookRoute = (maxBytes: number): MethodDecorator =>
  applyDecorators(Public(), ExtendRouteConfig({ webhook: { maxBytes } }));

export const isWebhook = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.webhook !== undefined;

/** To be registered before any route. */
export const registerWebhookRoutes = (fastify: FastifyInstance): void => {
  fastify.addHook('onRoute', (route) => {
    const webhook = route.config?.webhook;
    if (webhook) route.bodyLimit = webhook.maxBytes;
  });
};

/** JSON bodies, except those of webhooks: nothing in them is read before their signature was checked over the bytes. */
export const registerJsonBodies = (adapter: FastifyAdapter, bodyLimit: number): void => {
  const parseJson = adapter.getInstance<FastifyInstance>().getDefaultJsonParser('error', 'error');
  adapter.useBodyParser('application/json', true, { bodyLimit }, (request, body, done) => {
    if (isWebhook(request)) done(null, undefined);
    else return parseJson(request, body.toString(), done);
  });
};

/** The bytes of the body, as a parameter of a route; empty without a body. */
export const RawBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { rawBody } = context.switchToHttp().getRequest<FastifyRequest & { rawBody?: Buffer }>();
  return rawBody ?? Buffer.alloc(0);
});
