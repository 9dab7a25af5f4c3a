import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { settings } from '@tapedeck/composition/config';
import { registerIdentity } from '@tapedeck/identity/api';
import { createHttpApp } from '@tapedeck/platform/http';
import type { FastifyInstance } from 'fastify';
import { AppModule, type ApiDependencies } from './app.module.ts';

/** The whole API; it does not listen yet. `registerSite` adds the web client, where it is served too. */
export const createApi = (
  dependencies: ApiDependencies,
  registerSite?: (fastify: FastifyInstance) => Promise<void>,
): Promise<NestFastifyApplication> => {
  const { config, logger, databases, clock } = dependencies;
  return createHttpApp({
    module: AppModule.with(dependencies),
    config,
    settings,
    clock,
    logger,
    prepare: async (fastify) => {
      await registerIdentity(fastify, { config, databases, clock, logger });
      await registerSite?.(fastify);
    },
  });
};
