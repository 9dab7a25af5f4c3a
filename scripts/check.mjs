// `npm run check`: everything that can be said about the sources without running the product.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkKernel } from './build-kernel.mjs';
import { lockfileFaults } from './checks/lockfile.mjs';
import { step } from './console.mjs';
import { findDuplicates } from './duplicates.mjs';
import { build, installDependencies, root, runProgram } from './prepare.mjs';

const run = promisify(execFile);
/** @param {string} file @param {...string} words */
const node = (file, ...words) => runProgram(process.execPath, [join('node_modules', file), ...words]);

const lintedFolders = ['apps', 'libs', 'bench', 'scripts/checks', 'scripts/jest'];

/** Each fixture breaks one wall between rooms; the lint rule must say so of every one. */
const wallsHold = async () => {
  const fixtures = 'scripts/fixtures/boundaries';
  const { stdout } = await run(
    process.execPath,
    [join('node_modules', 'oxlint', 'bin', 'oxlint'), '-c', '.oxlintrc.json', '--format=json', fixtures],
    { cwd: root },
  ).catch((error) => error);
  const { diagnostics, number_of_files: files } = JSON.parse(stdout);
  const caught = diagnostics.filter(({ code }) => code === 'eslint(no-restricted-imports)').length;
  if (caught !== files || caught === 0)
    throw new Error(`Only ${caught} of ${files} wrong imports between rooms were caught.`);
};

/** Each fixture would pass but for the trace it leaves; every one must fail. */
const testsNoticeComplaints = async () => {
  const { stdout } = await run(
    process.execPath,
    [
      '--experimental-vm-modules',
      join('node_modules', 'jest', 'bin', 'jest.js'),
      '--config=scripts/fixtures/complaints/jest.config.js',
      '--json',
    ],
    { cwd: root },
  ).catch((error) => error);
  const { numFailedTests: failed, numTotalTests: all } = JSON.parse(stdout);
  if (all === 0 || failed !== all) throw new Error(`Only ${failed} of ${all} complaints were noticed.`);
};

const lockfileIsWhole = async () => {
  const faults = await lockfileFaults();
  if (faults.length > 0) throw new Error(`package-lock.json is not whole:\n${faults.join('\n')}`);
};

const noDuplicates = async () => {
  const pairs = await findDuplicates();
  if (pairs.length > 0) throw new Error(`The same lines stand twice:\n${pairs.join('\n')}`);
};

/** @type {readonly (readonly [name: string, work: () => Promise<unknown>])[]} */
const checks = [
  ['lockfile', lockfileIsWhole],
  ['format', () => node('prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.')],
  ['lint', () => node('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...lintedFolders)],
  ['walls between rooms', wallsHold],
  ['complaints fail a test', testsNoticeComplaints],
  ['types and build', build],
  ['types of the scripts', () => node('@typescript/native/bin/tsc', '-p', 'scripts')],
  [
    'nest build',
    () =>
      runProgram(process.execPath, [
        join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'),
        'build',
        'api',
      ]),
  ],
  ['dead exports', () => node('knip/bin/knip.js', '--no-progress')],
  ['duplicates', noDuplicates],
  ['kernel', checkKernel],
  ['openapi.json', () => runProgram(process.execPath, ['scripts/checks/openapi.mjs', '--check'])],
  ['docker-compose.yml', () => node('dclint/bin/dclint.cjs', 'docker-compose.yml', '--max-warnings', '0')],
];

/** Runs every check, the later ones too when one fails. Returns the names of those that failed. */
export const runChecks = async () => {
  const failed = [];
  for (const [name, work] of checks) {
    await step(name, work).catch((error) => {
      failed.push(name);
      process.stdout.write(`\n  ✗ ${name}\n${error.message}\n\n`);
    });
  }
  return failed;
};

if (process.argv[1] === import.meta.filename) {
  await step('dependencies', installDependencies);
  const failed = await runChecks();
  if (failed.length > 0) {
    process.stderr.write(`\n✗ ${failed.join(', ')}\n`);
    process.exit(1);
  }
}
