import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTestGlobals } from './test-globals.mjs';
import { sourceMapFile } from './transform.mjs';

const require = createRequire(import.meta.url);
let filesOfWorker = 0;

// What a test has left open must not keep a worker running whose run was interrupted. Jest replaces `exit` while a file runs.
const { exit } = process;
const exitWithRun = () => exit.call(process, 1);
process.once('disconnect', exitWithRun);
// At the end of a run Jest stops listening; a listener that remains would keep the worker running.
process.on('removeListener', (event) => {
  if (event === 'message') process.off('disconnect', exitWithRun);
});

/** Where the source map of each module is; a stack names modules by URL. */
class SourceMaps extends Map {
  #cacheFolder;

  constructor(cacheFolder) {
    super();
    this.#cacheFolder = cacheFolder;
  }

  /** @override @param {string} url */
  get(url) {
    if (!this.has(url) && /^file:.*\.tsx?(?:\?|$)/.test(url))
      this.set(url, sourceMapFile(this.#cacheFolder, url));
    return super.get(url);
  }
}

/** The part of the object `jest` that has a meaning where modules cannot be replaced. */
const jestObject = ({ moduleMocker: mocks, fakeTimersModern: timers }) => ({
  fn: mocks.fn.bind(mocks),
  spyOn: mocks.spyOn.bind(mocks),
  mocked: mocks.mocked.bind(mocks),
  restoreAllMocks: () => mocks.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  setTimeout: (ms) => {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms;
  },
});

/**
 * Jest's runtime on the modules of Node: a worker loads packages and the product's modules once, for all its test files. Without
 * it every file loads them again, into a context that is never freed.
 */
export default class NativeRuntime {
  #environment;
  #sourceMaps;

  constructor({ cacheDirectory }, environment) {
    const cacheFolder = join(cacheDirectory, 'transformed');
    if (filesOfWorker === 0) register('./module-hooks.mjs', import.meta.url, { data: { cacheFolder } });
    filesOfWorker += 1;
    this.#environment = environment;
    this.#sourceMaps = new SourceMaps(cacheFolder);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** What registers tests or hooks is evaluated once for each test file: the file itself and those that set it up. */
  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?${filesOfWorker}`);
  }

  requireModule(path) {
    return require(path);
  }

  /** Jest's own test framework, which has the tests of one file as its state. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[path];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setTestGlobals({ ...globals, jest: jestObject(this.#environment) });
  }

  getSourceMaps() {
    return this.#sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
