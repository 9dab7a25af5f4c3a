// The browser of the end-to-end tests: finds it, or as root installs it from the system's packages.
import { access, constants } from 'node:fs/promises';
import { runProgram } from '@tapedeck/prepare';

const knownPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const find = async () => {
  for (const path of [process.env.CHROMIUM, ...knownPaths]) {
    if (!path) continue;
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return undefined;
};

/** @returns {Promise<string>} the path of a Chromium */
export const findChromium = async () => {
  const found = await find();
  if (found) return found;
  if (process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runProgram('apt-get', ['update', '-qq'], { env }).catch(() => undefined);
    await runProgram('apt-get', ['install', '-y', '-qq', 'chromium'], { env }).catch(() => undefined);
  }
  const installed = await find();
  if (installed) return installed;
  throw new Error(
    'The browser tests need Chromium: install the package "chromium" of your system, or set CHROMIUM to its path.',
  );
};
