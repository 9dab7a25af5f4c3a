// Bundles the compiled programs with their packages: Node loads a dozen files instead of some 2,700, in a third of the time.
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleFolder, compiledPrograms } from './programs.mjs';
import { root } from './run-program.mjs';

const folder = join(root, bundleFolder);
const isPackage = (/** @type {string} */ id) => id.includes('/node_modules/');

/**
 * What files address relative to themselves (workers, WebAssembly, the site) stays where it is; they keep their source maps.
 * @type {import('rolldown').Plugin}
 */
const ownFiles = {
  name: 'own-files',
  load: {
    filter: { id: { include: /\.js$/, exclude: /\/node_modules\// } },
    handler: async (id) => {
      const [code, map] = await Promise.all([
        readFile(id, 'utf8'),
        readFile(`${id}.map`, 'utf8').catch(() => undefined),
      ]);
      const url = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', url), map: map ?? null };
    },
  },
};

/** Of packages a stack trace needs no source; Node would read their maps, 10 MB, at every start. @type {import('rolldown').Plugin} */
const noMapsOfPackages = {
  name: 'no-maps-of-packages',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk' || !file.map || file.moduleIds.some((id) => !isPackage(id))) continue;
      delete files[file.sourcemapFileName ?? `${file.fileName}.map`];
      file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    }
  },
};

const bundle = await rolldown({
  cwd: root,
  input: compiledPrograms,
  platform: 'node',
  // The first hands `require` to a library, and is loaded for a due migration only. The others are loaded when they are first
  // needed, if ever: the browser and pictures, and a store of S3.
  external: ['umzug', 'playwright-core', 'sharp', '@aws-sdk/client-s3'],
  plugins: [ownFiles, noMapsOfPackages],
  // Libraries offer to load packages that are not installed.
  onLog: (level, log, report) => {
    if (log.code !== 'UNRESOLVED_IMPORT' && log.code !== 'EVAL') report(level, log);
  },
});
await rm(folder, { recursive: true, force: true });
await bundle.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  keepNames: true,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: { groups: [{ name: 'packages', test: isPackage, entriesAware: true }] },
});
await bundle.close();
