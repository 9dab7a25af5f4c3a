// Node's module hooks in a worker of the tests: TypeScript is transformed, and workspaces are their sources.
import { transform } from './transform.mjs';

const testGlobals = new URL('./test-globals.mjs', import.meta.url).href;
let cacheFolder = '';

export const initialize = (data) => {
  ({ cacheFolder } = data);
};

export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals'
    ? { url: testGlobals, shortCircuit: true }
    : next(specifier, { ...context, conditions: ['@tapedeck/source', ...context.conditions] });

export const load = async (url, context, next) =>
  /\.tsx?(?:\?|$)/.test(url)
    ? { format: 'module', shortCircuit: true, source: await transform(cacheFolder, url) }
    : next(url, context);
