// `npm run check`: checks the sources without running the product.
import { step } from '../tools/prepare/src/console.mjs';
import { installDependencies } from '../tools/prepare/src/prepare.mjs';

await step('dependencies', installDependencies);
// The checks use packages, which exist only now in a fresh clone.
const { runChecks } = await import('@tapedeck/checks/run-checks');
const failed = await runChecks();
if (failed.length > 0) {
  process.stderr.write(`\n✗ ${failed.join(', ')}\n`);
  process.exit(1);
}
