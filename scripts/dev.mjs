// `npm run dev`: runs the product in watch mode.
import { installDependencies } from '../tools/prepare/src/prepare.mjs';
import { fail, step } from '../tools/prepare/src/console.mjs';

await step('dependencies', installDependencies).catch(fail);
await import('@tapedeck/launcher/dev');
