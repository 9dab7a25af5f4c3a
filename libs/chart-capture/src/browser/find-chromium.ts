import { access, constants } from 'node:fs/promises';

const knownPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

export const howToInstall =
  'install the package "chromium" of your system (Debian and Ubuntu: apt-get install chromium), or set CHROMIUM to the path of a Chromium or Chrome';

/** The path of a Chromium; with `configured` that one or none. */
export const findChromium = async (configured: string | undefined): Promise<string | undefined> => {
  for (const path of configured === undefined ? knownPaths : [configured])
    if (await isExecutable(path)) return path;
  return undefined;
};
