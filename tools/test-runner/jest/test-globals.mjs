/** What `@jest/globals` is while a test file runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export const setTestGlobals = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
};
