// `npm start`: installs, builds and runs the product. Ctrl-C stops all its processes.
import { installDependencies } from '../tools/prepare/src/prepare.mjs';
import { fail, say, step } from '../tools/prepare/src/console.mjs';

say('Tapedeck');
await step('dependencies', installDependencies).catch(fail);
// The launcher uses packages, which exist only now in a fresh clone.
await import('@tapedeck/launcher/start');
