// Imports that break a rule of .dependency-cruiser.mjs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { root } from '@tapedeck/prepare';

/** Files that each break a rule, under the paths they would have in the repository. */
export const fixtures = 'tools/checks/fixtures/boundaries/';

/** @typedef {import('dependency-cruiser').ICruiseResult} CruiseResult */

const cruiseRepository = async () => {
  const options = await extractDepcruiseOptions(join(root, '.dependency-cruiser.mjs'));
  const { output } = await cruise(
    ['apps', 'libs', 'bench', 'torture', 'e2e', 'tools', 'scripts'],
    { ...options, baseDir: root },
    {},
    { tsConfig: extractTSConfig(join(root, 'tsconfig.base.json')) },
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
};

/** @type {Promise<CruiseResult> | undefined} */
let cruised;

/** All imports of the repository and the rules they break; read once for all checks of a run. */
export const cruiseResult = () => (cruised ??= cruiseRepository());

/** @param {import('dependency-cruiser').IViolation} violation */
const describe = ({ rule, from, to, cycle, via }) => {
  const path = (cycle ?? via)?.map(({ name }) => name) ?? [to];
  return `${rule.name}: ${[from, ...path].join(' → ')}`;
};

/** The rules that a fixture breaks according to its first line. @param {string} file */
const expectedRules = async (file) => {
  const [first = ''] = (await readFile(join(root, file), 'utf8')).split('\n');
  return /^\/\/ Breaks (.+)$/.exec(first)?.[1] ?? '';
};

/** Fixtures for which other rules are reported than the ones they break, and rules without a fixture. @param {CruiseResult} result */
const fixtureProblems = async ({ modules, summary }) => {
  const problems = [];
  const reported = summary.violations.filter(({ from }) => from.startsWith(fixtures));
  for (const { source } of modules.filter((module) => module.source.startsWith(fixtures))) {
    const names = new Set(reported.filter(({ from }) => from === source).map(({ rule }) => rule.name));
    const found = [...names].sort().join(', ');
    const expected = await expectedRules(source);
    if (found !== expected) problems.push(`${source} breaks "${expected}", but reported is "${found}"`);
  }
  const rules = summary.ruleSetUsed?.forbidden?.map(({ name = '' }) => name) ?? [];
  if (rules.length === 0) problems.push('.dependency-cruiser.mjs has no rules');
  const broken = new Set(reported.map(({ rule }) => rule.name));
  const unbroken = rules.filter((name) => !broken.has(name));
  return [...problems, ...unbroken.map((name) => `${name}: no fixture breaks this rule`)];
};

/** A line for each forbidden import, the comments of the broken rules, and what is wrong with the fixtures. */
export const boundaryProblems = async () => {
  const result = await cruiseResult();
  const violations = result.summary.violations.filter(({ from }) => !from.startsWith(fixtures));
  const broken = new Set(violations.map(({ rule }) => rule.name));
  const comments = (result.summary.ruleSetUsed?.forbidden ?? [])
    .filter(({ name = '' }) => broken.has(name))
    .map(({ name, comment }) => `${name} means: ${comment}`);
  return [...violations.map(describe), ...comments, ...(await fixtureProblems(result))];
};

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${(await boundaryProblems()).join('\n')}\n`);
