// Programs on the databases of this instance, whether the product runs or not:
//   npm run import -- FILE.zip                       imports strategies
//   npm run role -- grant admin someone@example.com  also `revoke` and `list`
//   npm run rebuild:index                            rebuilds the search index beside the one in use, then switches to it
//   npm run migrate                                  prepares databases on a server of one's own, and the roles in it
import { resolve } from 'node:path';
import { buildProduct } from '../tools/prepare/src/build.mjs';
import { fail, say } from '../tools/prepare/src/console.mjs';
import { installForProduct } from '../tools/prepare/src/packages.mjs';

const [name, ...args] = process.argv.slice(2);

/** @param {string} file @param {readonly string[]} programArgs */
const run = async (file, programArgs) => {
  const { runInInstance } = await import('@tapedeck/launcher/in-instance');
  await runInInstance(file, programArgs);
};

/** @type {Readonly<Record<string, () => Promise<void>>>} */
const programs = {
  import: async () => {
    const [file, ...rest] = args;
    if (!file || rest.length > 0) throw new Error('Usage: npm run import -- FILE.zip');
    await run('apps/projector/dist/import.js', [resolve(file)]);
  },
  role: () => run('apps/projector/dist/role.js', args),
  'rebuild-index': () => run('apps/projector/dist/rebuild-index.js', []),
  migrate: async () => {
    const { runMigrations } = await import('@tapedeck/launcher/instance-roles');
    await runMigrations({});
    say('The databases are migrated.');
  },
};

const main = async () => {
  const program = programs[name ?? ''];
  if (!program) throw new Error(`Which program? One of ${Object.keys(programs).join(', ')}.`);
  await installForProduct();
  await buildProduct();
  await program();
};

await main().catch(fail);
