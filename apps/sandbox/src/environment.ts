import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';
import type { FindScript } from './charts/script.ts';

const originMessage = 'must be origins such as http://localhost:4000, separated by commas';
const origin = z
  .url({ protocol: /^https?$/, message: originMessage })
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, originMessage);
const port = z.coerce.number({ message: 'must be a port number' }).int('must be a port number');

const origins = z
  .string()
  // Not linear: configuration.
  .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
  .pipe(z.array(origin).min(1));

const environment = z.object({
  SANDBOX_PORT: port.min(0, 'must be from 0 to 65535').max(65_535, 'must be from 0 to 65535').default(0),
  SANDBOX_REDIRECT_ORIGINS: origins,
  SANDBOX_MAIL_PORT: port.min(0, 'must be from 0 to 65535').max(65_535, 'must be from 0 to 65535').default(0),
  /** Where webhooks are sent. */
  SANDBOX_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, message: 'must be an http or https address' })
    .optional(),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_test_', 'must begin with sk_test_').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** The database with the catalogue's read models, whose strategies the charting site shows. */
  SANDBOX_CATALOGUE_URL: z
    .string()
    .startsWith('postgres', 'must look like postgres://user:password@host:5432/database')
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(1),
  DATA_DIR: z.string().min(1).default('.data'),
});

/**
 * The environment variables that the sandbox knows, for the program that starts it.
 * @public
 */
export const sandboxVariables: readonly string[] = Object.keys(environment.shape);

export type SandboxOptions = Readonly<{
  /** 0 selects a free port. */
  port: number;
  /** Of the mailbox; 0 selects a free one. */
  mailPort: number;
  /** The stand-in for Stripe runs with all three of them. */
  webhookUrl?: string;
  stripeSecretKey?: string;
  stripeWebhookSecret?: string;
  catalogueUrl?: string;
  /** In place of those of `catalogueUrl`. */
  findScript?: FindScript;
  clientId: string;
  clientSecret: string;
  /** The origins of the product; sign-in and sign-out redirect to these only. */
  redirectOrigins: readonly string[];
  dataFolder: string;
  /** Called with one line for each error. */
  onError: (line: string) => void;
}>;

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const sandboxOptions = (
  env: Readonly<Record<string, string | undefined>>,
  onError: (line: string) => void,
): SandboxOptions => {
  const parsed = environment.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  );
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    const problem = env[name] ? (issue?.message ?? 'is wrong') : 'is missing';
    throw new DomainError('invalid', 'BAD_CONFIGURATION', `The environment variable ${name} ${problem}.`);
  }
  const { data } = parsed;
  return {
    port: data.SANDBOX_PORT,
    mailPort: data.SANDBOX_MAIL_PORT,
    ...(data.SANDBOX_WEBHOOK_URL === undefined ? {} : { webhookUrl: data.SANDBOX_WEBHOOK_URL }),
    ...(data.STRIPE_SECRET_KEY === undefined ? {} : { stripeSecretKey: data.STRIPE_SECRET_KEY }),
    ...(data.STRIPE_WEBHOOK_SECRET === undefined ? {} : { stripeWebhookSecret: data.STRIPE_WEBHOOK_SECRET }),
    ...(data.SANDBOX_CATALOGUE_URL === undefined ? {} : { catalogueUrl: data.SANDBOX_CATALOGUE_URL }),
    clientId: data.OIDC_CLIENT_ID,
    clientSecret: data.OIDC_CLIENT_SECRET,
    redirectOrigins: data.SANDBOX_REDIRECT_ORIGINS,
    dataFolder: data.DATA_DIR,
    onError,
  };
};
