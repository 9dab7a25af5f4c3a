import { readSettings } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { strategyId } from '@tapedeck/strategies/events';
import { strategiesSettings } from '@tapedeck/strategies/settings';
import { createCapturer, type CaptureOutcome } from '../capturer/capturer.ts';
import { startCaptureProcess, type CapturingOptions } from '../process.ts';
import { chartCaptureSettings } from '../settings.ts';

export const captureSecret = 'a secret of at least sixteen characters';

export type TestCapture = Readonly<{
  url: string;
  capture: (urlId: string) => Promise<CaptureOutcome>;
  close: () => Promise<void>;
}>;

/** The capture process in this one, with a charting site and the browser of the tests. */
export const startTestCapture = async (
  chartOrigin: string,
  env: Readonly<Record<string, string>> = {},
  options: CapturingOptions = {},
): Promise<TestCapture> => {
  const settings = { ...chartCaptureSettings, CHART_ORIGIN: strategiesSettings.CHART_ORIGIN };
  const config = readSettings(settings, 'capture', {
    CAPTURE_PORT: '0',
    CAPTURE_SECRET: captureSecret,
    CHART_ORIGIN: chartOrigin,
    CHROMIUM: process.env['CHROMIUM'],
    ...env,
  });
  // Tests may run as root, as which Chromium has no sandbox.
  const isSandboxed = process.getuid?.() !== 0;
  const logger = createLogger('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const { port, close } = await startCaptureProcess(config, logger, isSandboxed, options);
  const url = `http://127.0.0.1:${port}`;
  const capturer = createCapturer({ url, secret: captureSecret, onError: (error) => logger.error(error) });
  return { url, capture: (urlId) => capturer.capture(strategyId(urlId)), close };
};
