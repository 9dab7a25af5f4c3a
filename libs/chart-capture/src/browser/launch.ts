import { chromium, type Browser } from 'playwright-core';
import { memoryOfTree } from './process-memory.ts';

export type LaunchOptions = Readonly<{
  executable: string;
  isSandboxed: boolean;
  /** For the browser's profile. */
  folder: string;
}>;

/** A browser in a process group of its own. */
export type RunningBrowser = Readonly<{
  browser: Browser;
  pid: number;
  /** Resolves when it has ended, however that was. */
  ended: Promise<void>;
  memoryBytes: () => Promise<number>;
  /** Within two seconds; what has not ended by then is killed. */
  close: () => Promise<void>;
  kill: () => void;
}>;

const launchMs = 20_000;
const closeMs = 2_000;
/** Nothing listens there: a request that does not belong to the page of a capture goes nowhere. */
const nowhere = 'http://127.0.0.1:9';

/** Of these, Playwright disables the first ones; a second list replaces its own. */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  // For the address bar, which is not shown, every context would render two pages more: more than half of its time.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

const args = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--no-pings',
  '--no-first-run',
  // No name is resolved here: the proxy does that.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // No packet leaves beside the proxy.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--js-flags=--max-old-space-size=256',
];

const pidOf = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('Chromium does not say which process it is.');
  return pid;
};

/** The browser is the first of its group. */
const killGroup = (pid: number): void => {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
};

const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
};

/** Playwright creates the profile in the folder of temporary files. */
const inFolder = async <Result>(folder: string, work: () => Promise<Result>): Promise<Result> => {
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
};

const launch = ({ executable, isSandboxed, folder }: LaunchOptions): Promise<Browser> =>
  chromium.launch({
    executablePath: executable,
    chromiumSandbox: isSandboxed,
    args,
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    proxy: { server: nowhere, bypass: '<-loopback>' },
    timeout: launchMs,
    // The process itself decides when its browser ends.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });

/** @throws Error of Playwright, when Chromium does not start */
export const launchBrowser = async (options: LaunchOptions): Promise<RunningBrowser> => {
  const browser = await inFolder(options.folder, () => launch(options));
  const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  const pid = await pidOf(browser);
  return {
    browser,
    pid,
    ended,
    memoryBytes: () => memoryOfTree(pid),
    kill: () => killGroup(pid),
    close: async () => {
      await within(closeMs, browser.close());
      killGroup(pid);
      await within(closeMs, ended);
    },
  };
};
