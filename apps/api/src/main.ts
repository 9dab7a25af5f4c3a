import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openProduct } from '@tapedeck/composition/process';
import { DomainError, systemClock } from '@tapedeck/kernel';
import { apiConfig, type ApiConfig } from '@tapedeck/platform/config';
import { drain, Health } from '@tapedeck/platform/http';
import { createLogger } from '@tapedeck/platform/log';
import { serveMetrics } from '@tapedeck/platform/metrics';
import { reportReady, runProcess, stopOnSignal } from '@tapedeck/platform/process';
import { registerSite } from '@tapedeck/platform/site';
import { createApi } from './create-api.ts';

const builtSite = fileURLToPath(new URL('../../web/dist/site', import.meta.url));

const listen = async (app: NestFastifyApplication, { HOST, PORT }: ApiConfig): Promise<void> => {
  await app.listen(PORT, HOST).catch((error: unknown) => {
    const { code } = error as { code?: string };
    if (code !== 'EADDRINUSE') throw error;
    throw new DomainError(
      'unavailable',
      'PORT_TAKEN',
      `Port ${PORT} is taken by another program: choose another with PORT.`,
    );
  });
};

runProcess(async () => {
  const config = apiConfig(process.env);
  const logger = createLogger('api', config.LOG_LEVEL);
  const product = await openProduct('api', config, logger);
  const { databases, store } = product;
  const app = await createApi({ config, databases, store, clock: systemClock, logger }, (fastify) =>
    registerSite(fastify, config.WEB_ROOT ?? builtSite),
  );
  await listen(app, config);
  const metrics = await serveMetrics(config.METRICS_PORT, config.METRICS_HOST);
  stopOnSignal(logger, async () => {
    app.get(Health).stop();
    await drain(app);
    await app.close();
    await metrics.close();
    await product.close();
  });
  logger.info({ origin: config.publicOrigin, metricsPort: metrics.port }, 'api listens');
  reportReady({ origin: config.publicOrigin, metricsPort: metrics.port });
});
