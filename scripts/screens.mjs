// `npm run screens`: takes pictures of every page, wide and narrow, and puts them into docs/screens; with --all in both themes.
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

await step('dependencies', installAll).catch(fail);
const { findChromium } = await import('@tapedeck/test-runner/chromium');
await step('build', buildAll).catch(fail);
process.env.CHROMIUM = await step('chromium', findChromium).catch(fail);
await import('../e2e/dist/site/take-pictures.js');
