// `npm run role -- grant admin someone@example.com`, `revoke` and `list`, whether the product runs or not.
import { fail } from './console.mjs';
import { runInInstance } from './in-instance.mjs';

await runInInstance('apps/projector/dist/role.js', process.argv.slice(2)).catch(fail);
