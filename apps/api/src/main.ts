import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { assertReadModelsUsable, openProduct } from '@tapedeck/composition/process';
import { publicScreens, screens } from '@tapedeck/composition/screens';
import { hasSessionCookie } from '@tapedeck/identity/api';
import { checkPrices } from '@tapedeck/payments/api';
import { openClock } from '@tapedeck/platform/clock';
import { apiConfig, type ApiConfig } from '@tapedeck/composition/config';
import { ClientConfigParts, drain, Health } from '@tapedeck/platform/http';
import { createLogger } from '@tapedeck/platform/log';
import { listenError, serveMetrics } from '@tapedeck/platform/metrics';
import { reportReady, runProcess, stopOnSignal } from '@tapedeck/platform/process';
import { registerSite } from '@tapedeck/platform/site';
import { createApi } from './create-api.ts';

const builtSite = fileURLToPath(new URL('../../web/dist/site', import.meta.url));

/** Of a request's queries to the database. */
const queryMs = 10_000;

const listen = async (app: NestFastifyApplication, { HOST, PORT }: ApiConfig): Promise<void> => {
  await app.listen(PORT, HOST).catch((error: unknown) => {
    throw listenError(error, { port: PORT, host: HOST, portName: 'PORT', hostName: 'HOST' });
  });
};

runProcess(async () => {
  const config = apiConfig(process.env);
  const logger = createLogger('api', config.LOG_LEVEL);
  const clock = await openClock(config.CLOCK_URL);
  await checkPrices(config, clock, logger);
  const product = await openProduct('api', config, logger, { queryMs });
  await assertReadModelsUsable(product);
  const { databases, store } = product;
  const app: NestFastifyApplication = await createApi(
    { config, databases, store, clock, logger },
    (fastify) =>
      registerSite(fastify, {
        root: config.WEB_ROOT ?? builtSite,
        screens,
        publicScreens,
        publicOrigin: config.publicOrigin,
        hasSession: hasSessionCookie(config),
        clientConfig: () => app.get(ClientConfigParts).all(),
      }),
  );
  await listen(app, config);
  const metrics = await serveMetrics(config.METRICS_PORT, config.METRICS_HOST);
  stopOnSignal(logger, async () => {
    app.get(Health).stop();
    await drain(app);
    await app.close();
    await metrics.close();
    await product.close();
    clock.close();
  });
  logger.info({ origin: config.publicOrigin, metricsPort: metrics.port }, 'api listens');
  reportReady({ origin: config.publicOrigin, metricsPort: metrics.port });
});
