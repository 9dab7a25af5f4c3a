export type { SandboxOptions } from './environment.ts';
export { startSandbox, type Sandbox } from './server.ts';
export { createBrowser, type Browser } from './testing/browser.ts';
export { registerStripe, type StripeOptions, type StripeStandIn } from './stripe/register.ts';
export { createTestClock } from './stripe/testing/clock.ts';
export { openStripeInProcess, type StripeInProcess } from './stripe/testing/in-process.ts';
