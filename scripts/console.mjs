// What the launchers print: one line per step with its time, a bar while something is counted.

const terminal = process.stdout.isTTY === true;
const width = 28;

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {number} done @param {number} total */
export const bar = (done, total) => {
  const filled = total > 0 ? Math.round((done / total) * width) : 0;
  return `[${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${done.toLocaleString('en')} / ${total.toLocaleString('en')}`;
};

/**
 * Runs one step and prints how long it took. The step gets a function that shows its progress.
 * @template T
 * @param {string} name
 * @param {(progress: (done: number, total: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const started = performance.now();
  let drawn = 0;
  const show = (/** @type {string} */ text) => {
    if (terminal) process.stdout.write(`\r\x1b[2K  … ${name} ${text}`);
  };
  show('');
  const result = await work((done, total) => {
    show(bar(done, total));
    const tenth = Math.floor((done / Math.max(1, total)) * 4);
    if (!terminal && tenth > drawn) {
      drawn = tenth;
      process.stdout.write(`  … ${name} ${bar(done, total)}\n`);
    }
  });
  const clear = terminal ? '\r\x1b[2K' : '';
  process.stdout.write(`${clear}  ✓ ${name} (${seconds(performance.now() - started)})\n`);
  return result;
};

/** @param {string} line */
export const say = (line) => {
  process.stdout.write(`${line}\n`);
};

/**
 * Ends the process with one sentence on standard error.
 * @param {unknown} error
 * @returns {never}
 */
export const fail = (error) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};
