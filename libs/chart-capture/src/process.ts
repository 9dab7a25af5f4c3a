import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badSetting } from '@tapedeck/platform/config';
import type { Logger } from '@tapedeck/platform/log';
import { openCaptureServer } from './browser/capture-server.ts';
import { canUseSandbox, leaveRoot } from './browser/chromium-sandbox.ts';
import type { Capturing, CapturingOptions } from './browser/capturing.ts';
import { findChromium, howToInstall } from './browser/find-chromium.ts';
import type { CaptureAnswer } from './capturer/wire.ts';
import type { CaptureProcessConfig } from './settings.ts';

export type CaptureProcess = Readonly<{ port: number; close: () => Promise<void> }>;
export type { CapturingOptions } from './browser/capturing.ts';

const folderName = /^tapedeck-capture-(\d+)-/;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** A folder for the files of browsers; those of processes that were killed are removed. */
const createFolder = async (): Promise<string> => {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(join(tmpdir(), `tapedeck-capture-${process.pid}-`));
};

const load = (): Promise<typeof import('./browser/capturing.ts')> => import('./browser/capturing.ts');

/**
 * Whether Chromium may use its own sandbox. For that, a process that root has started becomes an ordinary user, so it has to
 * be called before anything else; one warning says when there is no sandbox.
 */
export const prepareSandbox = async (logger: Logger): Promise<boolean> => {
  if (process.getuid?.() === 0) {
    const { sandboxOff } = await load();
    if (leaveRoot() && (await canUseSandbox())) return true;
    logger.warn(sandboxOff);
    return false;
  }
  if (await canUseSandbox()) return true;
  logger.warn((await load()).sandboxOff);
  return false;
};

const unavailable: CaptureAnswer = { outcome: 'unavailable' };

/**
 * Captures charts for the API, in a browser that starts with the first capture.
 * @throws DomainError BAD_CONFIGURATION, PORT_TAKEN
 */
export const startCaptureProcess = async (
  config: CaptureProcessConfig,
  logger: Logger,
  isSandboxed: boolean,
  options: CapturingOptions = {},
): Promise<CaptureProcess> => {
  const { CAPTURE_SECRET: secret, CAPTURE_PORT: port, CAPTURE_HOST: host, CHART_ORIGIN } = config;
  if (secret === undefined) throw badSetting('CAPTURE_SECRET', 'is missing');
  const folder = await createFolder();
  let opening: Promise<Capturing> | undefined;

  const open = async (executable: string): Promise<Capturing> =>
    (await load()).openCapturing({ config, executable, isSandboxed, folder, logger, options });

  /** Looks again each time until there is a browser: it may have been installed meanwhile. */
  const capture = async (urlId: string): Promise<CaptureAnswer> => {
    if (!opening) {
      const executable = await findChromium(config.CHROMIUM);
      if (executable === undefined || CHART_ORIGIN === '') return unavailable;
      opening ??= open(executable);
    }
    return (await opening).capture(urlId);
  };

  if ((await findChromium(config.CHROMIUM)) === undefined)
    logger.warn(`performance charts are not captured, because there is no browser: ${howToInstall}`);
  const server = await openCaptureServer({ port, host, secret, capture, logger });
  return {
    port: server.port,
    close: async () => {
      await server.close();
      await (await opening)?.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
