// `npm run check`: checks the sources without running the product.
import { step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

await step('dependencies', installAll);
// The checks use packages, which exist only now in a fresh clone.
const { runChecks } = await import('@tapedeck/checks/run-checks');
const failed = await runChecks();
if (failed.length > 0) {
  process.stderr.write(`\n✗ ${failed.join(', ')}\n`);
  process.exit(1);
}
