export type { SandboxOptions } from './environment.ts';
export { startSandbox, type Sandbox } from './server.ts';
export { createBrowser, type Browser } from './testing/browser.ts';
