// Which stand-ins an instance uses: those of outside services that are not configured.
import { createHmac } from 'node:crypto';
import { freePort } from '@tapedeck/dev-postgres';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */
/** @typedef {{ sandbox: number, mail: number }} SandboxPorts */
/** @typedef {import('./instance-roles.mjs').RoleEnvironments} RoleEnvironments */

/** The accounts that a start makes. */
export const personas = /** @type {const} */ (['Free', 'Pro', 'Elite', 'Admin', 'Support']);
/** @param {string} persona */
export const emailOf = (persona) => `${persona.toLowerCase()}@tapedeck.example`;

/** The accounts that sign in by one click; the last one does not exist before. */
const signInHints = [...personas.map((name) => [name, emailOf(name)]), ['New member', emailOf('New')]];

/** @param {Environment} configured */
const standsIn = (configured) => ({
  openId: configured.OIDC_ISSUER === undefined,
  stripe: configured.STRIPE_SECRET_KEY === undefined,
  mail: configured.SMTP_URL === undefined,
});

/**
 * The ports of the sandbox, those of the last start where they are free; undefined when every service is configured.
 * @param {Environment} configured @param {Partial<SandboxPorts>} last
 * @returns {Promise<SandboxPorts | undefined>}
 */
export const sandboxPorts = async (configured, last) => {
  if (!Object.values(standsIn(configured)).includes(true)) return undefined;
  const sandbox = await freePort(last.sandbox);
  let mail = await freePort(last.mail);
  while (mail === sandbox) mail = await freePort(undefined);
  return { sandbox, mail };
};

/** Whether anybody can sign in as one of the personas, and buy with the cards of the sandbox. @param {Environment} configured */
export const hasDemoAccounts = (configured) => standsIn(configured).openId && standsIn(configured).stripe;

/** What two processes of an instance know in common. @param {Environment} secrets @param {string} purpose */
const derivedSecret = (secrets, purpose) =>
  createHmac('sha256', secrets.SESSION_SECRET ?? '')
    .update(purpose)
    .digest('hex');

/**
 * The database in which the charting site looks up what it shows of a strategy, as the role that only reads the catalogue.
 * @param {RoleEnvironments} roles
 */
export const catalogueOfSandbox = ({ api }) => api.CONSOLE_READ_DATABASE_URL ?? api.CATALOGUE_DATABASE_URL;

/**
 * The environment by which the API and the capture process find each other.
 * @param {Environment} secrets @param {number} port
 */
export const captureEnvironment = (secrets, port) => ({
  CAPTURE_PORT: String(port),
  CAPTURE_URL: `http://127.0.0.1:${port}`,
  CAPTURE_SECRET: derivedSecret(secrets, 'captures of charts'),
});

/**
 * The environment by which the product and the sandbox find each other.
 * @param {{ configured: Environment, secrets: Environment, ports: SandboxPorts, apiPort: number, host: string, origins: readonly string[] }} options
 */
export const sandboxEnvironment = async ({ configured, secrets, ports, apiPort, host, origins }) => {
  // Of the build, as the launcher starts before it.
  const { priceVariables } = await import(
    new URL('../../../apps/sandbox/dist/stripe/prices.js', import.meta.url).href
  );
  const url = `http://127.0.0.1:${ports.sandbox}`;
  const needed = standsIn(configured);
  const openId = {
    OIDC_ISSUER: url,
    OIDC_ISSUER_NAME: 'sandbox',
    CHART_IMAGE_ORIGIN: `${url}/charts`,
    CHART_ORIGIN: url,
    SIGN_IN_HINTS: signInHints.map((hint) => hint.join('=')).join(','),
  };
  const apiHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const stripe = {
    STRIPE_API_URL: url,
    // The stand-in has no limit.
    STRIPE_MAX_REQUESTS_PER_SECOND: '100000',
    STRIPE_DASHBOARD_URL: `${url}/_control/stripe`,
    STRIPE_SECRET_KEY: `sk_test_${derivedSecret(secrets, 'stripe key').slice(0, 32)}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${derivedSecret(secrets, 'stripe webhooks')}`,
    ...priceVariables,
    STRIPE_INTRO_COUPON: 'pro_intro',
    SANDBOX_WEBHOOK_URL: `http://${apiHost.includes(':') ? `[${apiHost}]` : apiHost}:${apiPort}/api/stripe/webhook`,
    CLOCK_URL: `${url}/clock`,
  };
  return {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_MAIL_PORT: String(ports.mail),
    SANDBOX_REDIRECT_ORIGINS: origins.join(','),
    OIDC_CLIENT_ID: 'tapedeck',
    ...(needed.openId ? openId : {}),
    ...(needed.stripe ? stripe : {}),
    ...(needed.mail ? { SMTP_URL: `smtp://127.0.0.1:${ports.mail}` } : {}),
  };
};
