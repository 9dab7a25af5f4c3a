import { openProduct } from '@tapedeck/composition/process';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { systemClock } from '@tapedeck/kernel';
import { taskConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { runProcess } from '@tapedeck/platform/process';

/** `npm run role -- grant admin someone@example.com`. */
runProcess(async () => {
  const config = taskConfig(process.env);
  // The command says in its own words what concerns its user.
  const product = await openProduct('role', config, createLogger('role', 'fatal'));
  process.exitCode = await runRoleCommand({
    args: process.argv.slice(2),
    store: product.store,
    pool: product.databases.tapedeck,
    clock: systemClock,
  });
  await product.close();
});
