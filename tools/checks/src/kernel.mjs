// `npm run build:kernel`: compiles the WASM kernel of the search engine, for rows with room for 8 facets and for 16. The
// binaries are committed, so that their compiler is only needed to change them.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runProgram } from '@tapedeck/prepare';

const folder = join('libs', 'columnar', 'assembly');
/** The numbers of facets for which a row has room; `scratch.ts` has the constant. */
const strides = [8, 16];
/** @param {number} stride */
const binaryOf = (stride) => `kernel${stride}.wasm`;

const options = [
  '-O3',
  '--converge',
  '--noAssert',
  '--runtime=stub',
  '--use=abort=',
  '--enable=simd',
  '--enable=threads',
  // The caller provides the memory: 65,536 pages are 4 GiB, as in `layout.ts`.
  '--importMemory',
  '--sharedMemory',
  '--initialMemory=1',
  '--maximumMemory=65536',
  '--noExportMemory',
];

/** @param {number} stride @param {string} outFolder */
const compile = (stride, outFolder) =>
  runProgram(process.execPath, [
    join('node_modules', 'assemblyscript', 'bin', 'asc.js'),
    join(folder, 'kernel.ts'),
    `--outFile=${join(outFolder, binaryOf(stride))}`,
    `--use=FACET_STRIDE=${stride}`,
    ...options,
  ]);

/** Throws when a committed binary is not what its source compiles to. */
export const checkKernel = async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  for (const stride of strides) {
    await compile(stride, '.cache');
    const [built, committed] = await Promise.all(
      ['.cache', folder].map((place) =>
        readFile(join(root, place, binaryOf(stride))).catch(() => Buffer.alloc(0)),
      ),
    );
    if (!built || !committed || built.length === 0 || !built.equals(committed))
      throw new Error(
        `${binaryOf(stride)} is not what ${folder} compiles to: run npm run build:kernel and commit it.`,
      );
  }
};

if (process.argv[1] === import.meta.filename) for (const stride of strides) await compile(stride, folder);
