import { setMaxListeners } from 'node:events';
import { dueDates, effects, eventTypes, projections, reactions } from '@tapedeck/composition/modules';
import { openProduct } from '@tapedeck/composition/process';
import { startSearchIndexWriter } from '@tapedeck/composition/search';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import { startProjector } from '@tapedeck/eventing/projections';
import { startReactions } from '@tapedeck/eventing/reactions';
import { startOperations } from '@tapedeck/operations/run';
import { paymentJobs, paymentPorts } from '@tapedeck/payments/reactions';
import { interruptedReplays } from '@tapedeck/replay/reactions';
import { stripeJobs } from '@tapedeck/stripe/jobs';
import { openClock } from '@tapedeck/platform/clock';
import { projectorConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { serveMetrics } from '@tapedeck/platform/metrics';
import { reportReady, runProcess, stopOnSignal } from '@tapedeck/platform/process';
import { startSchedule } from '@tapedeck/platform/schedule';
import { followUploads } from '@tapedeck/strategies/import';

const dayMs = 86_400_000;

runProcess(async () => {
  const config = projectorConfig(process.env);
  const logger = createLogger('projector', config.LOG_LEVEL);
  const clock = await openClock(config.CLOCK_URL);
  const product = await openProduct('projector', config, logger, { ownsReadModels: true });
  const { databases, store } = product;
  const metrics = await serveMetrics(config.METRICS_PORT, config.METRICS_HOST);
  const stopped = new AbortController();
  // Everything that runs here waits for it.
  setMaxListeners(0, stopped.signal);
  const projecting = {
    store,
    projections,
    databases,
    logger,
    signal: stopped.signal,
    leaseMs: config.PROJECTION_LEASE_MS,
    batchSize: config.PROJECTION_BATCH_SIZE,
    dropAfterMs: config.PROJECTION_DROP_AFTER_DAYS * dayMs,
  };
  const projector = startProjector(projecting);
  const operations = startOperations({ ...projecting, pool: databases.tapedeck });
  const ports = { ...paymentPorts(config, clock), store, databases, projections, logger };
  const running = startReactions({
    store,
    pool: databases.tapedeck,
    databases,
    reactions: reactions(config),
    effects: effects(ports),
    dueDates,
    clock,
    logger,
    signal: stopped.signal,
    leaseMs: config.PROJECTION_LEASE_MS,
  });
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: config.PERSONAL_DATA_KEY });
  const jobs = startSchedule({
    pool: databases.tapedeck,
    jobs: [
      ...stripeJobs({ ...ports, clock, logger }),
      ...paymentJobs({ ...ports, clock, logger }),
      interruptedReplays({ ...ports, clock, logger, keys, types: eventTypes, reactions: reactions(config) }),
    ],
    clock,
    logger,
    signal: stopped.signal,
  });
  const uploads = followUploads({
    store,
    pool: databases.tapedeck,
    clock,
    logger,
    signal: stopped.signal,
    leaseMs: config.PROJECTION_LEASE_MS,
  });
  const indexWriter = await startSearchIndexWriter(config, {
    store,
    catalogue: databases.catalogue,
    logger,
  });
  stopOnSignal(logger, async () => {
    stopped.abort();
    await Promise.all([projector.stopped, running.stopped, operations, jobs, uploads, indexWriter?.stop()]);
    ports.mailer.close();
    clock.close();
    await metrics.close();
    await product.close();
  });
  logger.info({ metricsPort: metrics.port, projections: projections.length }, 'projector runs');
  reportReady({ metricsPort: metrics.port });
});
