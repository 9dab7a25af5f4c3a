// `npm run import -- FILE.zip`: works while the product runs and while it does not.
import { spawn } from 'node:child_process';
import { resolve, join } from 'node:path';
import { fail, say } from './console.mjs';
import { makeDataFolder, openInstanceDatabases, readSecrets, readState } from './instance.mjs';
import { build, installDependencies, root } from './prepare.mjs';

const [file, ...rest] = process.argv.slice(2);
if (!file || rest.length > 0) fail('Say which file: npm run import -- FILE.zip');

const main = async () => {
  await installDependencies();
  await build();
  await makeDataFolder();
  const databases = await openInstanceDatabases(await readState(), say);
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(root, 'apps/projector/dist/import.js'), resolve(file)],
    {
      stdio: 'inherit',
      env: { ...process.env, ...(await readSecrets()), ...databases.urls },
    },
  );
  process.on('SIGINT', () => {});
  const code = await new Promise((done) => child.once('exit', done));
  if (!databases.adopted) await databases.stop();
  process.exit(code ?? 1);
};

main().catch(fail);
