// `npm run import -- FILE.zip`: imports strategies, whether the product runs or not.
import { resolve } from 'node:path';
import { fail } from './console.mjs';
import { runInInstance } from './in-instance.mjs';

const [file, ...rest] = process.argv.slice(2);
if (!file || rest.length > 0) fail('Usage: npm run import -- FILE.zip');

await runInInstance('apps/projector/dist/import.js', [resolve(file)]).catch(fail);
