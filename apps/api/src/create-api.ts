import { fileURLToPath } from 'node:url';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { registerCrossSiteGuard, registerSessions } from '@tapedeck/identity/api';
import { createHttpApp, registerSite } from '@tapedeck/platform/http';
import { AppModule, type Surroundings } from './app.module.ts';

const builtSite = fileURLToPath(new URL('../../web/dist/site', import.meta.url));

/** The whole API, wired but not listening. */
export const createApi = (surroundings: Surroundings): Promise<NestFastifyApplication> => {
  const { config, logger, databases, clock } = surroundings;
  return createHttpApp({
    module: AppModule.with(surroundings),
    config,
    logger,
    prepare: async (fastify) => {
      registerCrossSiteGuard(fastify, { origins: config.origins });
      await registerSessions(fastify, { config, databases, clock });
      await registerSite(fastify, config.WEB_ROOT ?? builtSite);
    },
  });
};
