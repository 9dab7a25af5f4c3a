// `npm run dev`: runs the product in watch mode.
import { fail, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

await step('dependencies', installAll).catch(fail);
await import('@tapedeck/launcher/dev');
