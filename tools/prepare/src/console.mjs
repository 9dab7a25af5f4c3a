// Console output of the launchers: one line per step with its time, and a progress bar.

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
 * Runs one step and prints how long it took. The step gets a function that draws a progress bar.
 * @template T
 * @param {string} name
 * @param {(progress: (done: number, total: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const startedAt = performance.now();
  let quarterShown = 0;
  const draw = (/** @type {string} */ text) => {
    if (terminal) process.stdout.write(`\r\x1b[2K  … ${name} ${text}`);
  };
  draw('');
  const result = await work((done, total) => {
    draw(bar(done, total));
    const quarter = Math.floor((done / Math.max(1, total)) * 4);
    if (!terminal && quarter > quarterShown) {
      quarterShown = quarter;
      process.stdout.write(`  … ${name} ${bar(done, total)}\n`);
    }
  });
  const clear = terminal ? '\r\x1b[2K' : '';
  process.stdout.write(`${clear}  ✓ ${name} (${seconds(performance.now() - startedAt)})\n`);
  return result;
};

/** @param {string} line */
export const say = (line) => {
  process.stdout.write(`${line}\n`);
};

/**
 * Prints one sentence on standard error and exits.
 * @param {unknown} error
 * @returns {never}
 */
export const fail = (error) => {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};
