export default async function globalTeardown() {
  await globalThis.stopWhatTestsShare?.();
  const { TEST_SEED: seed, PROPERTY_RUNS: share } = process.env;
  process.stderr.write(`Random values: TEST_SEED=${seed} PROPERTY_RUNS=${share}\n`);
}
