// `npm run migrate`: prepares databases on a server of one's own, and the role of each process.
import { fail, say } from './console.mjs';
import { runMigrations } from './instance-roles.mjs';
import { build, installDependencies } from './prepare.mjs';

const main = async () => {
  await installDependencies();
  await build();
  await runMigrations({});
  say('The databases are migrated.');
};

await main().catch(fail);
