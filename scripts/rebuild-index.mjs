// `npm run rebuild:index`: builds the search index anew beside the one that answers, and puts it in its place.
import { fail } from './console.mjs';
import { runInInstance } from './in-instance.mjs';

await runInInstance('apps/projector/dist/rebuild-index.js', []).catch(fail);
