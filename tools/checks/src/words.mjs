// Words of our own where the field has a standard one. Only words that always have a better one are listed:
// `rest`, `turn` or `settle` also have plain meanings and are left to the reader.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@tapedeck/prepare';

const run = promisify(execFile);
const fixtures = 'tools/checks/fixtures/words';
const unread = /^tools\/checks\/(?:fixtures\/|src\/words\.mjs$)|\/golden\//;

/** @type {readonly (readonly [refused: RegExp, write: string])[]} */
const refusedWords = [
  [/tenure/i, 'lease'],
  [/\b(?:winds?|winding|wound) on\b|\bwindOn/i, 'project, catch up'],
  [/\bgiven up\b|givenUp/i, 'aborted, skipped'],
  [/\bworth answering\b/i, 'not aborted'],
  [/surroundings/i, 'dependencies, test environment'],
  [
    /\brooms\b|\broom['’]s\b|\b(?:a|this|that|each|every|any|another|the) room\b(?! (?:for|to|left|in|here)\b)|\broom(?:: [A-Z]|\.[a-z])/i,
    'module',
  ],
  [/\bextents\b|\bExtents?\b|[a-z]Extents?\b/, 'min and max, range'],
  [/likeness/i, 'similarity'],
  [/grains?\b(?<=\bgrains?|[a-z]Grains?)|\bgrains?[A-Z]/i, 'precision, scaled value'],
  [/\b(?:go|goes|went|gone) away\b|\bgoAway/i, 'becomes unavailable, is removed, redirectToProvider'],
  [/\b(?:server|engine|elasticsearch|database|provider) (?:is|was) away\b|search-?away/i, 'unavailable'],
  [/\b(?:server|engine|elasticsearch|database|connection) (?:comes|came|is|was) back\b/i, 'recovers'],
  [/\b(?:longest|largest|highest)[A-Z]/, 'max…'],
  [/\bmost(?!Popular|Similar|Recent)[A-Z]/, 'max…'],
  [/\b(?:shortest|smallest|fewest)[A-Z]/, 'min…'],
  [/\bmust[A-Z]/, 'assert…'],
  [/\bNobody\b/, 'what is not done, or by whom only'],
  [/\bWhoever\b|\bwhoever (?:asks|calls|reads|waits|wants)\b/, 'a caller that, a client that'],
  [/\bwho (?:asks?|calls?|reads?|waits?)\b/i, 'the caller, the reader, what waits'],
  [/\bthat which\b/i, 'what, the one that'],
  [/\btold\b/, 'says, answered, distinguished'],
  [/\breadings\b|\b(?:a|an|one|each|every|another|earlier|later) reading\b/i, 'snapshot, what was read'],
  [/(?<!-)\bstanding/i, 'state'],
  [/\bdesks?\b/i, 'queue'],
  // A stored name ends with `:spare`.
  [/(?<!:)\bspares?\b/i, 'standby build, reserve'],
  [/\b(?:calm|peaceful) (?:clients?|members?)\b|\bin peace\b/i, 'with one request, without load'],
  [/\bnought\b/i, 'zero'],
  [/\bwitness(?:es)?\b/i, 'reference implementation'],
  [/\bwalls?\b(?![- ](?:clock|time))/i, 'boundary'],
  [/\b(?:test )?grounds?\b(?=[.:;,)\]]| =)|\bground [a-z]+s\b|[a-z]Ground\b/, 'test environment, base'],
  [/\bworld(?:\.[a-z]|: [A-Z]| = )|[a-z]World\b/, 'test environment'],
  [/\bStage\b/, 'test environment'],
  [/\btidy|[a-z]Tidy/i, 'normalise, clean up'],
  [/\bbury|\bburied\b/i, 'mark deleted'],
  [/\bnews\b|[a-z]News\b|\bNews[A-Z]/, 'updates'],
  [/\b(?:un)?heard\b/, 'received'],
  [/\banew\b/i, 'again, rebuilds'],
  [/\brepairs\b|[a-z]Repairs?\b/, 'filter suggestions'],
];

/** What to write instead of the words in a line, if any is refused. @param {string} line */
const refusalsIn = (line) =>
  refusedWords.flatMap(([refused, write]) => {
    const [word] = refused.exec(line) ?? [];
    return word === undefined ? [] : [`"${word}": write ${write}`];
  });

/** Lines of a fixture. @param {string} name */
const linesOf = async (name) => (await readFile(join(root, fixtures, name), 'utf8')).trim().split('\n');

/** Every line of `refused.txt` must be refused and every line of `accepted.txt` must not be; each word has a line. */
const fixtureProblems = async () => {
  const [refused, accepted] = await Promise.all([linesOf('refused.txt'), linesOf('accepted.txt')]);
  return [
    ...refused.filter((line) => refusalsIn(line).length === 0).map((line) => `not refused: ${line}`),
    ...accepted.filter((line) => refusalsIn(line).length > 0).map((line) => `refused: ${line}`),
    ...refusedWords
      .filter(([word]) => !refused.some((line) => word.test(line)))
      .map(([word]) => `no line in refused.txt has ${word}`),
  ];
};

/** Every refused word in the sources, comments, tests, documents and file names: `file:line "word": write …`. */
export const refusedWordProblems = async () => {
  const { stdout } = await run('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], { cwd: root });
  const problems = await fixtureProblems();
  for (const file of stdout.trim().split('\n')) {
    if (unread.test(file)) continue;
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    for (const problem of refusalsIn(file.replaceAll(/[-/.]/g, ' '))) problems.push(`${file} ${problem}`);
    for (const [index, line] of text.split('\n').entries())
      for (const problem of refusalsIn(line)) problems.push(`${file}:${index + 1} ${problem}`);
  }
  return problems;
};

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${(await refusedWordProblems()).join('\n')}\n`);
