// `npm run torture`: runs the product on a database of its own, breaks it again and again, and checks that nothing is
// lost. `--faults 500` (the default), `--seed N` repeats the choices of a run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';
import { root } from '../tools/prepare/src/run-program.mjs';

await step('dependencies', installAll).catch(fail);
await step('build', buildAll).catch(fail);
const torture = spawn(process.execPath, [join(root, 'torture/dist/main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// On Ctrl-C the run stops its processes itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => torture.kill('SIGTERM'));
torture.once('exit', (code) => process.exit(code ?? 1));
