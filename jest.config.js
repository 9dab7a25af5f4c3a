/**
 * `npm test`: `.spec` is pure, `.int.spec` uses PostgreSQL or HTTP, `.e2e.spec` a browser and the whole product.
 * `npm run test:faults`: `.faults.spec`. `npm run test:services`: `.services.spec`, which needs real servers.
 */
export default {
  testMatch: ['**/src/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.(?:faults|services)\\.spec\\.ts$'],
  modulePathIgnorePatterns: ['/dist/', '/\\.data/', '/\\.cache/'],
  watchPathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  // Never `import` among the conditions: CommonJS dependencies would then resolve to .mjs files and fail.
  testEnvironmentOptions: { customExportConditions: ['@tapedeck/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true, decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
  globalSetup: './tools/test-runner/jest/global-setup.mjs',
  globalTeardown: './tools/test-runner/jest/global-teardown.mjs',
  setupFilesAfterEnv: ['./tools/test-runner/jest/fail-on-console.mjs'],
  maxWorkers: 2,
  // Modules in the contexts of finished test files stay in memory: a worker with that much of them is replaced.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
};
