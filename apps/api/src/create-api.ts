import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { registerIdentity } from '@tapedeck/identity/api';
import { createHttpApp } from '@tapedeck/platform/http';
import type { FastifyInstance } from 'fastify';
import { AppModule, type Surroundings } from './app.module.ts';

/** The whole API, wired but not listening; `site` adds what is served beside it. */
export const createApi = (
  surroundings: Surroundings,
  site: (fastify: FastifyInstance) => Promise<void> = async () => {},
): Promise<NestFastifyApplication> => {
  const { config, logger, databases, clock } = surroundings;
  return createHttpApp({
    module: AppModule.with(surroundings),
    config,
    clock,
    logger,
    prepare: async (fastify) => {
      await registerIdentity(fastify, { config, databases, clock });
      await site(fastify);
    },
  });
};
