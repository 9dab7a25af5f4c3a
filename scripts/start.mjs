// `npm start`: installs, builds and runs the product. Ctrl-C stops all its processes.
import { fail, say, step } from '../tools/prepare/src/console.mjs';
import { installForProduct } from '../tools/prepare/src/packages.mjs';

say('Tapedeck');
await step('dependencies', installForProduct).catch(fail);
// The launcher uses packages, which exist only now in a fresh clone.
await import('@tapedeck/launcher/start');
