import sequencer from '@jest/test-sequencer';

// The package's module is its default export, which its types do not say.
const Sequencer = /** @type {typeof sequencer.default} */ (/** @type {unknown} */ (sequencer));

/** The first kind takes longest. */
const kinds = [/\.(?:e2e|screens)\.spec\.ts$/, /[/\\]e2e[/\\]/, /\.(?:int|faults|services)\.spec\.ts$/];

const kindOf = ({ path }) => {
  const kind = kinds.findIndex((pattern) => pattern.test(path));
  return kind < 0 ? kinds.length : kind;
};

/** Begins with the longest files: by their durations, or by their kind when none is known, as in a fresh clone. */
export default class LongestFirst extends Sequencer {
  /** @override @param {Parameters<InstanceType<typeof sequencer.default>['sort']>[0]} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isTimed = sorted.some(({ duration }) => duration !== undefined);
    return isTimed ? sorted : sorted.toSorted((one, other) => kindOf(one) - kindOf(other));
  }
}
