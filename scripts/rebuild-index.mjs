// `npm run rebuild:index`: rebuilds the search index beside the one in use, then switches to it.
import { fail } from './console.mjs';
import { runInInstance } from './in-instance.mjs';

await runInInstance('apps/projector/dist/rebuild-index.js', []).catch(fail);
