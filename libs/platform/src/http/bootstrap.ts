import { randomUUID } from 'node:crypto';
import {
  Module,
  StandardSchemaSerializerInterceptor,
  StandardSchemaValidationPipe,
  type DynamicModule,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError, type Clock } from '@tapedeck/kernel';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { ApiConfig } from '../settings/platform-settings.ts';
import type { Settings } from '../config.ts';
import { contentSources, type ContentSources } from '../settings/content-sources.ts';
import { nestLogger, type Logger } from '../log.ts';
import { httpDuration } from '../metrics.ts';
import { Admissions } from './admission.ts';
import { AccountNames } from './account-names.ts';
import { AccountChanges } from './changes/account-changes.ts';
import { ChangeStreams } from './changes/change-streams.ts';
import { ChangeTopics } from './changes/change-topics.ts';
import { ChangesController } from './changes/changes.controller.ts';
import { LiveSessions } from './changes/live-sessions.ts';
import { ClientConfigParts } from './client-config.ts';
import { HttpAdapter } from './adapter.ts';
import { registerCompression } from './compression.ts';
import { registerConditionalAnswers } from './conditional-answers.ts';
import { registerDraining } from './drain.ts';
import { refuseEarly } from './early-refusal.ts';
import { Health, HealthController } from './health.controller.ts';
import { ProblemFilter } from './problem-filter.ts';
import { ReadGate, ReadModels } from './read-gate.ts';
import { registerRequestContext } from './request-context.ts';
import { SignedInGuard } from './routes.ts';
import { StreamCommandHandler } from './stream-command.ts';
import { registerUploadRoutes } from './upload-route.ts';
import { registerJsonBodies, registerWebhookRoutes } from './webhook-route.ts';
import { defaultTimeouts, maxRequestMs, registerBodyTimeouts, type HttpTimeouts } from './timeouts.ts';

type Issue = Readonly<{
  message: string;
  path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}>;

const pathOf = (issue: Issue): string =>
  (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');

const invalidRequest = (issues: readonly Issue[]): DomainError => {
  const errors = issues.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const detail = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  return new DomainError('invalid', 'INVALID_REQUEST', detail, { errors });
};

/** The parts of the HTTP server that do not depend on the modules it serves. */
@Module({
  controllers: [HealthController, ChangesController],
  providers: [
    Admissions,
    Health,
    ReadModels,
    AccountNames,
    ClientConfigParts,
    ChangeTopics,
    AccountChanges,
    LiveSessions,
    ChangeStreams,
    StreamCommandHandler,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: SignedInGuard },
    { provide: APP_INTERCEPTOR, useClass: ReadGate },
    { provide: APP_INTERCEPTOR, useClass: StandardSchemaSerializerInterceptor },
    {
      provide: APP_PIPE,
      useFactory: (): StandardSchemaValidationPipe =>
        new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest }),
    },
  ],
  exports: [AccountNames, Admissions, ChangeTopics, ClientConfigParts, Health, LiveSessions, ReadModels],
})
export class HttpModule {
  /** As a global module, which other modules need not import. */
  static global(): DynamicModule {
    return { module: HttpModule, global: true };
  }
}

const contentSecurityPolicy = (sources: ContentSources): Record<string, readonly string[]> => ({
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', ...sources['img-src']],
  // Browsers hold some loads of images, such as repeated ones, against this directive too.
  'connect-src': ["'self'", ...sources['img-src']],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'form-action': ["'self'", ...sources['form-action']],
});

const isHttps = ({ publicOrigin }: ApiConfig): boolean => publicOrigin.startsWith('https:');

const hostMissing = (): DomainError =>
  new DomainError(
    'invalid',
    'HOST_MISSING',
    'The request does not say for which host it is: send the header Host.',
  );

const registerHeaders = (fastify: FastifyInstance, { config, settings }: HttpAppOptions): void => {
  const https = isHttps(config);
  const policy = contentSecurityPolicy(contentSources(settings, config));
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...Object.fromEntries(Object.entries(policy).map(([k, v]) => [k, [...v]])),
        ...(https ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });
  // Its plugin for Fastify would make all headers again for each request.
  fastify.addHook('onRequest', (request, reply, done) => secure(request.raw, reply.raw, () => done()));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    done(request.headers.host === undefined && request.raw.httpVersion === '1.1' ? hostMissing() : undefined);
  });
};

/** Logs and measures every request. */
const registerRequestLog = (fastify: FastifyInstance, logger: Logger): void => {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    httpDuration.observe({ method: request.method, route, status: String(reply.statusCode) }, seconds);
    logger.info(
      {
        requestId: request.id,
        account: request.account?.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
};

export type HttpAppOptions = Readonly<{
  module: Type | DynamicModule;
  config: ApiConfig;
  /** Of all modules: their values are in `config`. */
  settings: Settings;
  clock: Clock;
  logger: Logger;
  /** Registers the hooks and plugins of modules, before any route. */
  prepare?: (fastify: FastifyInstance) => Promise<void>;
  timeouts?: HttpTimeouts;
}>;

const maxBodyBytes = 128 * 1_024;

/** The HTTP server with its modules; it does not listen yet. */
export const createHttpApp = async (options: HttpAppOptions): Promise<NestFastifyApplication> => {
  const { config, clock, logger, timeouts = defaultTimeouts } = options;
  const adapter = new HttpAdapter({
    problems: { logger, https: isHttps(config) },
    genReqId: () => randomUUID(),
    // Trusts exactly the configured number of proxies, so that a client cannot forge its address.
    trustProxy: (_address: string, hop: number) => hop < config.TRUSTED_PROXIES,
    bodyLimit: maxBodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: maxRequestMs(timeouts),
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      // It would be refused in another form than ours.
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      requestTimeout: maxRequestMs(timeouts),
      connectionsCheckingInterval: timeouts.checkIntervalMs,
    },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  registerRequestContext(fastify, clock);
  registerWebhookRoutes(fastify);
  registerBodyTimeouts(fastify, timeouts);
  registerUploadRoutes(fastify);
  registerJsonBodies(adapter, maxBodyBytes);
  registerDraining(fastify);
  registerRequestLog(fastify, logger);
  registerHeaders(fastify, options);
  registerConditionalAnswers(fastify);
  await registerCompression(fastify);
  await options.prepare?.(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(options.module, adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    rawBody: true,
  });
  refuseEarly(app, logger, isHttps(config));
  return app;
};
