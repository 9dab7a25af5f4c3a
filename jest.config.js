/**
 * `npm test`: `.spec` is pure, `.int.spec` uses PostgreSQL or HTTP, `.e2e.spec` a browser and the whole product.
 * `npm run test:faults`: `.faults.spec`, and `.screens.spec` in a browser. `npm run test:services`: `.services.spec`, which
 * needs real servers.
 */
export default {
  testMatch: ['**/src/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.(?:faults|screens|services)\\.spec\\.ts$'],
  modulePathIgnorePatterns: ['/dist/', '/\\.data/', '/\\.cache/'],
  // The modules are Node's own: see native-runtime.mjs.
  runtime: './tools/test-runner/jest/native-runtime.mjs',
  testSequencer: './tools/test-runner/jest/sequencer.mjs',
  testEnvironment: './tools/test-runner/jest/native-environment.mjs',
  transform: {},
  injectGlobals: false,
  globalSetup: './tools/test-runner/jest/global-setup.mjs',
  globalTeardown: './tools/test-runner/jest/global-teardown.mjs',
  setupFilesAfterEnv: [
    './tools/test-runner/jest/fail-on-console.mjs',
    './tools/test-runner/jest/random-seed.mjs',
  ],
  // Tests wait for databases and browsers about as long as they compute.
  maxWorkers: 4,
  // Always in worker processes, also a single file; a worker that has grown so far is replaced.
  workerIdleMemoryLimit: '1.5GB',
  testTimeout: 60_000,
};
