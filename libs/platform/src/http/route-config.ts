import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** `RouteConfig` replaces what another decorator of the same route has set; this adds to it. */
export const ExtendRouteConfig =
  (config: FastifyContextConfig): MethodDecorator =>
  (target, key, descriptor) => {
    const others: unknown = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, Object(descriptor.value));
    RouteConfig({ ...Object(others), ...config })(target, key, descriptor);
  };
