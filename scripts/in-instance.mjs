// Runs a command-line program of the product on the databases of this instance, whether the instance runs or not.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { say } from './console.mjs';
import { createDataFolder, openInstanceDatabases, readSecrets, readState } from './instance.mjs';
import { build, installDependencies, root } from './prepare.mjs';

/** Builds, runs a program and exits with its status. @param {string} program @param {readonly string[]} args */
export const runInInstance = async (program, args) => {
  await installDependencies();
  await build();
  await createDataFolder();
  const databases = await openInstanceDatabases(await readState(), say);
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, program), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...(await readSecrets()), ...databases.urls },
  });
  process.on('SIGINT', () => {});
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (!databases.adopted) await databases.stop();
  process.exit(code ?? 1);
};
