// Runs a command-line program of the product on the databases of this instance, whether the instance runs or not.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { say } from '@tapedeck/prepare/console';
import { createDataFolder, dataFolder, readSecrets, readState } from './instance.mjs';
import { openInstanceDatabases } from './instance-database.mjs';
import { roleEnvironments, runMigrations, withoutAdministrator } from './instance-roles.mjs';
import { root } from '@tapedeck/prepare';

/** Runs a program and exits with its status. @param {string} program @param {readonly string[]} args */
export const runInInstance = async (program, args) => {
  await createDataFolder();
  const { ports } = await readState();
  const databases = await openInstanceDatabases({
    dataFolder: dataFolder(),
    log: say,
    preferredPort: ports.postgres,
  });
  let code = 1;
  try {
    const secrets = await readSecrets(databases.hasMasterKey);
    const { migration, projector } = await roleEnvironments(databases, dataFolder());
    await runMigrations(migration);
    const env = withoutAdministrator({ ...process.env, ...secrets, ...projector });
    const child = spawn(process.execPath, ['--enable-source-maps', join(root, program), ...args], {
      stdio: 'inherit',
      env,
    });
    process.on('SIGINT', () => {});
    code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
  } finally {
    await databases.close();
  }
  process.exit(code);
};
