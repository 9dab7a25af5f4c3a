import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

const listFiles = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(new URL(path, root)));

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Every match of the pattern as `path: match`, without those that `holds` accepts. */
const wrongReferences = (
  paths: readonly string[],
  pattern: RegExp,
  holds: (reference: string, path: string) => boolean,
): readonly string[] =>
  paths.flatMap((path) =>
    [...read(path).matchAll(pattern)]
      .map(([match, captured]) => captured ?? match)
      .filter((reference) => !holds(reference, path))
      .map((reference) => `${path}: ${reference}`),
  );

const sources = listFiles('*.ts', '*.tsx', '*.mjs', '*.md');
const pages = listFiles('*.md');
const records = listFiles('docs/decisions/[0-9]*.md');
const numberOf = (record: string): string => record.replace(/^.*\/(\d{3})-.*$/, '$1');
const numbers = new Set(records.map(numberOf));

describe('references to decisions', () => {
  it('cite rules of docs/product-decisions.md by names that it has', () => {
    const names = [...read('docs/product-decisions.md').matchAll(/^### (.*)$/gm)].map(([, name = '']) =>
      name
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(' ', '-'),
    );
    expect(names.length).toBeGreaterThan(30);
    const isName = (anchor: string): boolean => names.includes(anchor);
    expect(wrongReferences(sources, /product-decisions\.md#([\w-]+)/g, isName)).toEqual([]);
  });

  it('cite decision records that exist by their number', () => {
    expect(wrongReferences(sources, /\bdecision (\d{3})\b/gi, (number) => numbers.has(number))).toEqual([]);
  });

  it('cite decision records that exist by their file name', () => {
    const isRecord = (path: string): boolean => records.includes(`docs/${path}`);
    expect(wrongReferences(sources, /\b(decisions\/\d{3}-[\w-]+\.md)/g, isRecord)).toEqual([]);
  });
});

describe('decision records', () => {
  it('have one number each', () => {
    expect(records.map(numberOf)).toEqual([...numbers]);
  });

  it('have a title that begins with their number', () => {
    expect(records.filter((record) => !read(record).match(new RegExp(`^# ${numberOf(record)} `)))).toEqual(
      [],
    );
  });

  it('are listed on the index page', () => {
    const index = read('docs/decisions/README.md');
    expect(
      records.filter((record) => !index.includes(`(${record.slice('docs/decisions/'.length)})`)),
    ).toEqual([]);
  });
});

describe('pages of documentation', () => {
  it('name files and folders of the repository that exist', () => {
    const path = /`((?:apps|bench|docs|libs|scripts)\/[\w./@-]+)`/g;
    expect(wrongReferences(pages, path, (name) => existsSync(new URL(name, root)))).toEqual([]);
  });

  it('name source files in their own folder, or by their path, that exist', () => {
    const file = /`([\w./-]+\.(?:ts|tsx|mjs))`/g;
    const files = listFiles('*.ts', '*.tsx', '*.mjs');
    const isThere = (name: string, page: string): boolean => {
      const folder = page.slice(0, page.lastIndexOf('/') + 1);
      return files.some((path) => path === name || (path.startsWith(folder) && path.endsWith(`/${name}`)));
    };
    expect(wrongReferences(pages, file, isThere)).toEqual([]);
  });

  it('link to files that exist', () => {
    const link = /\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)/g;
    expect(
      wrongReferences(pages, link, (target, page) => existsSync(new URL(target, new URL(page, root)))),
    ).toEqual([]);
  });

  it('quote the favourites module as it is in the recipes for modules', () => {
    const code = listFiles('libs/favourites/src').map(read).join('\n');
    const blocks = [...read('libs/README.md').matchAll(/^ *```ts\n([^`]*(?:`[^`]+`[^`]*)*)```/gm)];
    const lines = blocks.flatMap(([, block = '']) => block.split('\n').map((line) => line.trim()));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !code.includes(line))).toEqual([]);
  });
});
