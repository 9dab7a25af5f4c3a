import { prepareSandbox, startCaptureProcess } from '@tapedeck/chart-capture/process';
import { captureConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { serveMetrics } from '@tapedeck/platform/metrics';
import { reportReady, runProcess, stopOnSignal } from '@tapedeck/platform/process';

runProcess(async () => {
  const config = captureConfig(process.env);
  const logger = createLogger('capture', config.LOG_LEVEL);
  const capture = await startCaptureProcess(config, logger, await prepareSandbox(logger));
  const metrics = await serveMetrics(config.METRICS_PORT, config.METRICS_HOST);
  stopOnSignal(logger, async () => {
    await capture.close();
    await metrics.close();
  });
  reportReady({ port: capture.port, metricsPort: metrics.port });
});
