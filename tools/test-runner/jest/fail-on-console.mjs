import { afterAll, afterEach, beforeEach } from '@jest/globals';

// A console error, a console warning or an unhandled rejection fails the test in which it happens.
const seen = [];
// Printed at import by a library that does run on Node 20.
const ignored = /oidc-provider WARNING: Unsupported runtime/;
for (const level of ['error', 'warn']) {
  const write = console[level].bind(console);
  console[level] = (...args) => {
    if (ignored.test(String(args[0]))) return;
    seen.push(`console.${level}: ${args.map(String).join(' ')}`);
    write(...args);
  };
}
const onRejection = (reason) => {
  seen.push(
    `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
  );
};
process.on('unhandledRejection', onRejection);
afterAll(() => {
  process.off('unhandledRejection', onRejection);
});

beforeEach(() => {
  seen.length = 0;
});
afterEach(async () => {
  // Unhandled rejections are reported after the microtasks of the test have run.
  await new Promise((resolve) => setImmediate(resolve));
  if (seen.length > 0)
    throw new Error(`The test caused console output or an unhandled rejection:\n${seen.join('\n')}`);
});
