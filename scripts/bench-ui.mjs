// `npm run bench:ui`: frames and requests while a slider is dragged in a real browser.
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { fail, step } from './console.mjs';
import { build, installDependencies, root } from './prepare.mjs';
import { runToEnd } from './run-to-end.mjs';

const main = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const chromium = await step('chromium', findChromium);
  return runToEnd(join(root, 'bench/dist/ui/main.js'), { CHROMIUM: chromium });
};

process.exit(await main().catch(fail));
