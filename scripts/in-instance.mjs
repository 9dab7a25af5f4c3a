// A command line of the product, on the databases of this instance: it works while that runs and while it does not.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { say } from './console.mjs';
import { makeDataFolder, openInstanceDatabases, readSecrets, readState } from './instance.mjs';
import { build, installDependencies, root } from './prepare.mjs';

/** Runs a built program and ends with its exit status. @param {string} program @param {readonly string[]} words */
export const runInInstance = async (program, words) => {
  await installDependencies();
  await build();
  await makeDataFolder();
  const databases = await openInstanceDatabases(await readState(), say);
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, program), ...words], {
    stdio: 'inherit',
    env: { ...process.env, ...(await readSecrets()), ...databases.urls },
  });
  process.on('SIGINT', () => {});
  const code = await new Promise((done) => child.once('exit', done));
  if (!databases.adopted) await databases.stop();
  process.exit(code ?? 1);
};
