import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** What a file has set up last is closed first, because it may use what was set up before. @param block a `describe` */
const reverseAfterHooks = ({ hooks, children }) => {
  const isAfter = ({ type }) => type.startsWith('after');
  const defined = hooks.splice(0);
  hooks.push(...defined.filter((hook) => !isAfter(hook)), ...defined.filter(isAfter).reverse());
  for (const child of children) if (child.type === 'describeBlock') reverseAfterHooks(child);
};

/**
 * Jest's environment without a context of its own: test files run one after the other in the global object of their worker. What
 * a file has changed of the process is restored when it ends.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  #env = { ...process.env };
  #folder = process.cwd();
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest sets 100, which every error of the product would pay for.
    Error.stackTraceLimit = 20;
  }

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start') reverseAfterHooks(rootDescribeBlock);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    delete globalThis[timeout];
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    process.chdir(this.#folder);
    process.exit = this.#exit;
  }

  exportConditions() {
    return [];
  }

  getVmContext() {
    return null;
  }
}
