// Regular expressions of the server whose time is not linear in the length of their input: a request could block the
// process with one. Where the input is short or our own, a comment before says so with "Not linear:". Where the detector
// is wrong, because it ignores what stands before a match, one says why with "Linear:".
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isSafe } from 'redos-detector';
import ts from 'typescript';
import { root } from '@tapedeck/prepare';

const run = promisify(execFile);
const folders = ['apps/api', 'apps/projector', 'libs'];
const tests = /\.spec\.ts$|\/testing\/|\/testing\.ts$|\/assembly\//;
const explained = /(?:Not linear|Linear): \S/;
const timeLimitMs = 2_000;

/** Of a linear and of two quadratic expressions: the check fails when it does not tell them apart. */
const samples = { linear: /^[+-]?\d+(?:\.\d*)?$/, quadratic: [/^\d+\.?\d*$/, /,+$/] };

/** @param {RegExp} pattern */
const isLinear = (pattern) => isSafe(pattern, { timeout: timeLimitMs }).safe;

/** @param {ts.Node} node @returns {ts.Node[]} */
const literalsIn = (node) => [
  ...(ts.isRegularExpressionLiteral(node) ? [node] : []),
  ...node.getChildren().flatMap(literalsIn),
];

/** @param {string} literal `/source/flags` */
const patternOf = (literal) => {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

/** @param {string} file @param {string} text @returns {string[]} */
const problemsIn = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  return literalsIn(source).flatMap((literal) => {
    const { line } = source.getLineAndCharacterOfPosition(literal.getStart());
    // The expression may stand on a line of its own, below what it is assigned to.
    const isExplained = [line - 1, line - 2].some((at) => explained.test(lines[at] ?? ''));
    if (isExplained || isLinear(patternOf(literal.getText()))) return [];
    return [`${file}:${line + 1} ${literal.getText()}`];
  });
};

const sampleProblems = () => [
  ...(isLinear(samples.linear) ? [] : [`not taken for linear: ${samples.linear}`]),
  ...samples.quadratic.filter(isLinear).map((pattern) => `taken for linear: ${pattern}`),
];

/** `file:line pattern` of every expression that is not linear and does not say why that is harmless. */
export const patternProblems = async () => {
  const { stdout } = await run('git', ['ls-files', ...folders.map((folder) => `${folder}/*.ts`)], {
    cwd: root,
  });
  const files = stdout
    .trim()
    .split('\n')
    .filter((file) => !tests.test(file));
  const found = await Promise.all(
    files.map(async (file) => problemsIn(file, await readFile(join(root, file), 'utf8'))),
  );
  return [...sampleProblems(), ...found.flat()];
};
