// Files and folders form layers: at every level of a module, an import leads to a file or folder that does not lead
// back. A folder counts as one. Tests are left out.
import { dirname } from 'node:path';
import { cruiseResult, fixtures } from './boundaries.mjs';

const tests = /\.spec\.tsx?$|\/testing\/|\/testing\.ts$/;
const maxFilesAtRoot = 12;
const maxListedImports = 5;
/** A folder with exactly one cycle; the check fails when it does not find that. */
const folderWithCycle = `${fixtures}libs/explorer/src/`;

/** @typedef {{ from: string, to: string }} Import */
/** For each file or folder, those that it imports, with the imports. @typedef {Map<string, Map<string, Import[]>>} Graph */

/** @param {string} folder @param {readonly Import[]} imports @returns {Graph} */
const graphOf = (folder, imports) => {
  const childOf = (/** @type {string} */ file) => file.slice(folder.length).split('/')[0] ?? '';
  const graph = new Map();
  for (const one of imports) {
    if (!one.from.startsWith(folder) || !one.to.startsWith(folder)) continue;
    const [from, to] = [childOf(one.from), childOf(one.to)];
    if (from === to) continue;
    if (!graph.has(from)) graph.set(from, new Map());
    const targets = graph.get(from);
    targets.set(to, [...(targets.get(to) ?? []), one]);
  }
  return graph;
};

/** The shortest path from a child back to itself. @param {Graph} graph @param {string} start @returns {string[] | undefined} */
const cycleFrom = (graph, start) => {
  const paths = [[start]];
  const visited = new Set();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...path, start];
      if (!visited.has(next)) paths.push([...path, next]);
      visited.add(next);
    }
  }
  return undefined;
};

/** @param {string} folder @param {readonly Import[]} imports */
const describeImports = (folder, imports) => {
  const lines = imports
    .slice(0, maxListedImports)
    .map(({ from, to }) => `    ${from.slice(folder.length)} → ${to.slice(folder.length)}`);
  const others = imports.length - lines.length;
  return others > 0 ? [...lines, `    … and ${others} more`] : lines;
};

/** The cycles between the children of a folder, each with the imports that form it. @param {string} folder @param {readonly Import[]} imports */
const cyclesIn = (folder, imports) => {
  const graph = graphOf(folder, imports);
  const reported = new Set();
  const cycles = [];
  for (const child of graph.keys()) {
    const path = reported.has(child) ? undefined : cycleFrom(graph, child);
    if (!path) continue;
    for (const member of path) reported.add(member);
    const lines = path
      .slice(1)
      .flatMap((to, index) => describeImports(folder, graph.get(path[index] ?? '')?.get(to) ?? []));
    cycles.push([`${folder}: ${path.join(' → ')}`, ...lines].join('\n'));
  }
  return cycles;
};

/** Every folder from a `src` folder downwards. @param {readonly string[]} files */
const sourceFolders = (files) => {
  const folders = new Set();
  for (const file of files) {
    const parts = file.split('/');
    const source = parts.indexOf('src');
    for (let depth = source + 1; source >= 0 && depth < parts.length; depth++)
      folders.add(`${parts.slice(0, depth).join('/')}/`);
  }
  return [...folders];
};

/** @param {readonly string[]} folders @param {readonly string[]} files */
const crowdedRoots = (folders, files) =>
  folders
    .filter((folder) => /^libs\/[^/]+\/src\/$/.test(folder))
    .map((folder) => ({ folder, count: files.filter((file) => `${dirname(file)}/` === folder).length }))
    .filter(({ count }) => count > maxFilesAtRoot)
    .map(({ folder, count }) => `${folder} has ${count} files at its root, more than ${maxFilesAtRoot}`);

/** A line or a paragraph for each cycle between files and folders, and for each module with too many files at its root. */
export const layerProblems = async () => {
  const { modules } = await cruiseResult();
  const product = modules.filter(({ source }) => /\.tsx?$/.test(source) && !tests.test(source));
  const files = product.map(({ source }) => source);
  const imports = product.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ resolved }) => !tests.test(resolved))
      .map(({ resolved }) => ({ from: source, to: resolved })),
  );
  const folders = sourceFolders(files);
  const cycles = folders
    .filter((folder) => !folder.startsWith(fixtures))
    .flatMap((folder) => cyclesIn(folder, imports));
  const found = cyclesIn(folderWithCycle, imports).length;
  return [
    ...cycles,
    ...crowdedRoots(folders, files),
    ...(found === 1 ? [] : [`${folderWithCycle} has one cycle, but reported are ${found}`]),
  ];
};

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await layerProblems()).join('\n')}\n`);
