// Compiles TypeScript without checking types; results are stored by content.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const options = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};
const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const compiler = JSON.stringify([version, options]);

const codeFile = (cacheFolder, path, source) => {
  const hash = createHash('sha256').update(compiler).update(path).update(source).digest('hex');
  return join(cacheFolder, `${hash}.js`);
};

/** Other workers may read or write the same file. */
const write = (file, text) => {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
};

let swc;

/** The JavaScript of a TypeScript module. */
export const transform = async (cacheFolder, url) => {
  const path = fileURLToPath(url);
  const source = readFileSync(path, 'utf8');
  const file = codeFile(cacheFolder, path, source);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  swc ??= await import('@swc/core');
  const { code, map } = await swc.transform(source, { ...options, filename: path });
  mkdirSync(cacheFolder, { recursive: true });
  write(`${file}.map`, map);
  write(file, code);
  return code;
};

/** Where the source map of a module is that was transformed. */
export const sourceMapFile = (cacheFolder, url) => {
  const path = fileURLToPath(url);
  return `${codeFile(cacheFolder, path, readFileSync(path, 'utf8'))}.map`;
};
