// `npm run build:kernel`: compiles the WASM kernel of the search engine. The binary is committed, so that its compiler
// is only needed to change it.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runProgram } from './prepare.mjs';

const folder = join('libs', 'columnar', 'assembly');
const binary = join(folder, 'kernel.wasm');

const options = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  ...['--enable', 'simd', '--enable', 'threads'],
  // The caller provides the memory: 65,536 pages are 4 GiB, as in `layout.ts`.
  ...[
    '--importMemory',
    '--sharedMemory',
    '--initialMemory',
    '1',
    '--maximumMemory',
    '65536',
    '--noExportMemory',
  ],
];

/** @param {string} output */
const compile = (output) =>
  runProgram(process.execPath, [
    join('node_modules', 'assemblyscript', 'bin', 'asc.js'),
    join(folder, 'kernel.ts'),
    '--outFile',
    output,
    ...options,
  ]);

/** Throws when the committed binary is not what its source compiles to. */
export const checkKernel = async () => {
  const compiled = join('.cache', 'kernel.wasm');
  await mkdir(join(root, '.cache'), { recursive: true });
  await compile(compiled);
  const [built, committed] = await Promise.all([
    readFile(join(root, compiled)),
    readFile(join(root, binary)).catch(() => Buffer.alloc(0)),
  ]);
  if (!built.equals(committed))
    throw new Error(`${binary} is not what ${folder} compiles to: run npm run build:kernel and commit it.`);
};

if (process.argv[1] === import.meta.filename) await compile(binary);
