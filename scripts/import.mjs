// `npm run import -- FILE.zip`: works while the product runs and while it does not.
import { resolve } from 'node:path';
import { fail } from './console.mjs';
import { runInInstance } from './in-instance.mjs';

const [file, ...rest] = process.argv.slice(2);
if (!file || rest.length > 0) fail('Say which file: npm run import -- FILE.zip');

await runInInstance('apps/projector/dist/import.js', [resolve(file)]).catch(fail);
