// Finds sequences of lines that are in two places. Imports, braces and comments are ignored.
import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '@tapedeck/prepare';
import { join } from 'node:path';

const run = promisify(execFile);

const minLines = 10;

/** @param {string} line */
const isCompared = (line) =>
  line.length > 4 && !/^(import |export (\*|\{|type \{)|\/\/|\*|\/\*)/.test(line) && /[a-z]/i.test(line);

/** @param {string} file */
const linesOf = async (file) => {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line, index) => ({ text: line.trim().replaceAll(/\s+/g, ' '), number: index + 1, file }))
    .filter(({ text: line }) => isCompared(line));
};

/** A line for each pair of files, `a.ts:3 ~ b.ts:10`. */
export const findDuplicates = async () => {
  const { stdout } = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
    { cwd: root },
  );
  const seen = new Map();
  const pairs = new Map();
  for (const file of stdout.trim().split('\n')) {
    const lines = await linesOf(file);
    for (let at = 0; at + minLines <= lines.length; at++) {
      const key = lines
        .slice(at, at + minLines)
        .map(({ text }) => text)
        .join('\n');
      const first = seen.get(key);
      if (!first) seen.set(key, lines[at]);
      else if (!pairs.has(`${first.file} ${file}`)) {
        pairs.set(`${first.file} ${file}`, `${first.file}:${first.number} ~ ${file}:${lines[at]?.number}`);
      }
    }
  }
  return [...pairs.values()];
};
