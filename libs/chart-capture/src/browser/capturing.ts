// Everything that needs the packages of the browser and of pictures, which a process loads with its first capture.
import { isStrategyId } from '@tapedeck/strategies/contract';
import { messageOf } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import type { CaptureAnswer } from '../capturer/wire.ts';
import { createDestinations, type Resolve } from '../egress/destinations.ts';
import type { CaptureProcessConfig } from '../settings.ts';
import { BrowserBackOff, browserLimits, createBrowserPool, type BrowserLimits } from './browser-pool.ts';
import { CaptureFailure, capturePage, pageLimits, type PageLimits, type Target } from './capture-page.ts';
import { createCaptureQueue } from './capture-queue.ts';
import { encodePicture, type EncodedPicture } from './encode-picture.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';

/** What tests make smaller. */
export type CapturingOptions = Readonly<{
  page?: Partial<PageLimits>;
  browser?: Partial<BrowserLimits>;
  maxWaitMs?: number;
  resolve?: Resolve;
}>;

export type CapturingParts = Readonly<{
  config: CaptureProcessConfig;
  executable: string;
  isSandboxed: boolean;
  /** For the files of browsers. */
  folder: string;
  logger: Logger;
  options: CapturingOptions;
}>;

export type Capturing = Readonly<{
  capture: (urlId: string) => Promise<CaptureAnswer>;
  close: () => Promise<void>;
}>;

const maxWaitMs = 20_000;
const retryAfterSeconds = 5;
const mebibyte = 1_048_576;

export const sandboxOff =
  'Chromium runs without its own sandbox: this system allows no user namespaces, or the process runs as root. The rules for what pages may reach hold all the same';

const isAboutSandbox = (error: unknown): boolean => /sandbox|namespace|EPERM/i.test(messageOf(error));

const createLaunch = ({
  executable,
  isSandboxed,
  logger,
}: CapturingParts): ((folder: string) => Promise<RunningBrowser>) => {
  let withSandbox = isSandboxed;
  return async (folder) => {
    try {
      return await launchBrowser({ executable, isSandboxed: withSandbox, folder });
    } catch (error) {
      if (!withSandbox || !isAboutSandbox(error)) throw error;
      withSandbox = false;
      logger.warn(sandboxOff);
      return launchBrowser({ executable, isSandboxed: false, folder });
    }
  };
};

const encoded = async (screenshot: Buffer): Promise<EncodedPicture> => {
  try {
    return await encodePicture(screenshot);
  } catch (error) {
    throw new CaptureFailure('unreachable', messageOf(error));
  }
};

const answerOf = ({ width, height, pictures }: EncodedPicture): CaptureAnswer => ({
  outcome: 'captured',
  width,
  height,
  pictures: {
    png: pictures.png.toString('base64'),
    webp: pictures.webp.toString('base64'),
    avif: pictures.avif.toString('base64'),
  },
});

const answerOfError = (error: unknown, urlId: string, logger: Logger): CaptureAnswer => {
  if (error instanceof CaptureFailure) {
    logger.info({ urlId, failure: error.failure, reason: error.message }, 'a chart could not be captured');
    return { outcome: 'failed', failure: error.failure };
  }
  const waitMs = error instanceof BrowserBackOff ? error.retryAfterMs : retryAfterSeconds * 1_000;
  logger.warn({ urlId, err: messageOf(error).slice(0, 2_000) }, 'there is no browser for a capture');
  return { outcome: 'busy', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
};

export const openCapturing = (parts: CapturingParts): Capturing => {
  const { config, folder, logger, options } = parts;
  const destinations = createDestinations(
    config.CHART_ORIGIN,
    config.CHART_RESOURCE_ORIGINS,
    options.resolve,
  );
  const pool = createBrowserPool({
    limits: {
      ...browserLimits,
      maxMemoryBytes: config.CAPTURE_MEMORY_MB * mebibyte,
      ...options.browser,
    },
    folder,
    launch: createLaunch(parts),
    logger,
  });
  const targetOf = (urlId: string): Target => ({
    url: `${config.CHART_ORIGIN}/script/${urlId}/`,
    selector: config.CHART_SELECTOR,
    destinations,
  });
  const limits = { ...pageLimits, ...options.page };
  const run = async (urlId: string): Promise<CaptureAnswer> => {
    try {
      const screenshot = await pool.use((browser, control) =>
        capturePage(browser, targetOf(urlId), limits, control),
      );
      return answerOf(await encoded(screenshot));
    } catch (error) {
      return answerOfError(error, urlId, logger);
    }
  };
  const queue = createCaptureQueue(
    {
      atOnce: config.CAPTURES_AT_ONCE,
      maxWaiting: config.CAPTURE_QUEUE,
      maxWaitMs: options.maxWaitMs ?? maxWaitMs,
    },
    run,
  );
  return {
    capture: (urlId) =>
      isStrategyId(urlId)
        ? queue.capture(urlId)
        : Promise.resolve({ outcome: 'failed', failure: 'not-on-site' }),
    close: pool.close,
  };
};
