import { afterEach, beforeEach } from '@jest/globals';

// A console error or an unhandled promise is a defect somewhere: it fails the test it happened in.
const seen = [];
// Said at import by a library that runs on Node 20 all the same.
const harmless = /oidc-provider WARNING: Unsupported runtime/;
for (const level of ['error', 'warn']) {
  const write = console[level].bind(console);
  console[level] = (...words) => {
    if (harmless.test(String(words[0]))) return;
    seen.push(`console.${level}: ${words.map(String).join(' ')}`);
    write(...words);
  };
}
process.on('unhandledRejection', (reason) => {
  seen.push(
    `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
  );
});

beforeEach(() => {
  seen.length = 0;
});
afterEach(async () => {
  // Unhandled rejections are reported after the microtasks of the test have run.
  await new Promise((resolve) => setImmediate(resolve));
  if (seen.length > 0) throw new Error(`The test left a trace it must not leave:\n${seen.join('\n')}`);
});
