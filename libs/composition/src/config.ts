import { chartCaptureSettings } from '@tapedeck/chart-capture/settings';
import { elasticsearchSettings, refuseTwoCredentials } from '@tapedeck/elasticsearch/settings';
import { explorerSettings } from '@tapedeck/explorer/settings';
import { identitySettings } from '@tapedeck/identity/settings';
import { membershipSettings } from '@tapedeck/membership/settings';
import { paymentsSettings } from '@tapedeck/payments/settings';
import {
  mergeSettings,
  placeholdersOf,
  readSettings,
  variablesOf as variablesOfSettings,
  type ConfigOf,
  type Environment,
} from '@tapedeck/platform/config';
import { originsOf, refuseExposedHttp, refuseExposedStandIns } from '@tapedeck/platform/exposure';
import { platformSettings, type Origins } from '@tapedeck/platform/settings';
import { sqlConsoleSettings } from '@tapedeck/sql-console/settings';
import { strategiesSettings } from '@tapedeck/strategies/settings';
import { stripeSettings } from '@tapedeck/stripe/settings';

/** By the module that contributes them. */
export const settingsByModule = {
  platform: platformSettings,
  identity: identitySettings,
  stripe: stripeSettings,
  payments: paymentsSettings,
  membership: membershipSettings,
  strategies: strategiesSettings,
  'chart-capture': chartCaptureSettings,
  explorer: explorerSettings,
  elasticsearch: elasticsearchSettings,
  'sql-console': sqlConsoleSettings,
} as const;

/** Of all modules. */
export const settings = mergeSettings(settingsByModule);

/** A valid environment in which no outside service can be reached. */
export const placeholders = placeholdersOf(settings);

type All = typeof settings;
/** Of a program that works on the tape and ends. */
export type Config = ConfigOf<All, 'task'>;
export type MigrationConfig = ConfigOf<All, 'migrate'>;
export type ProjectorConfig = ConfigOf<All, 'projector'> & Pick<Origins, 'publicOrigin'>;
export type CaptureConfig = ConfigOf<All, 'capture'>;
export type ApiConfig = ConfigOf<All, 'api'> & Origins;
export type DatabaseUrls = Pick<Config, 'DATABASE_URL' | 'CATALOGUE_DATABASE_URL'>;

/**
 * The environment variables that each process knows, for the program that starts it.
 * @public
 */
export const variablesOf = {
  api: variablesOfSettings(settings, 'api'),
  projector: variablesOfSettings(settings, 'projector'),
  migrate: variablesOfSettings(settings, 'migrate'),
  capture: variablesOfSettings(settings, 'capture'),
} as const;

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const migrationConfig = (env: Environment): MigrationConfig => readSettings(settings, 'migrate', env);

/** Of a program that works on the tape and ends. @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const taskConfig = (env: Environment): Config => {
  const config = readSettings(settings, 'task', env);
  refuseTwoCredentials(config);
  return config;
};

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const projectorConfig = (env: Environment): ProjectorConfig => {
  const read = readSettings(settings, 'projector', env);
  refuseTwoCredentials(read);
  return Object.freeze({ ...read, publicOrigin: read.PUBLIC_ORIGIN ?? 'http://localhost:4000' });
};

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const captureConfig = (env: Environment): CaptureConfig => readSettings(settings, 'capture', env);

/** @throws DomainError BAD_CONFIGURATION, SANDBOX_EXPOSED, HTTP_EXPOSED: one sentence that names the variable. */
export const apiConfig = (env: Environment): ApiConfig => {
  const read = readSettings(settings, 'api', env);
  const config = Object.freeze({ ...read, ...originsOf(read) });
  refuseExposedStandIns(settings, config);
  refuseExposedHttp(config);
  refuseTwoCredentials(config);
  return config;
};
