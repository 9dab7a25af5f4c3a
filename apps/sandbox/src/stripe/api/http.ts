import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, StripeFailure, type FailureBody } from '../engine/failure.ts';
import { apiVersion, type RequestInfo, type Tx } from '../engine/transaction.ts';
import type { Service } from '../service.ts';
import { catalogueRoutes } from './catalogue.ts';
import { checkoutRoutes } from './checkout.ts';
import { customerRoutes, paymentMethodRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { expanded } from './expand.ts';
import { parseForm, type Form } from './form.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentRoutes } from './payments.ts';
import { portalRoutes } from './portal.ts';
import { checkParameters, type Route } from './route.ts';
import { scheduleRoutes } from './schedules.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import type { CallFaults, RequestLog } from './calls.ts';

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...checkoutRoutes,
  ...portalRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...eventRoutes,
  ...catalogueRoutes,
];

export type ApiParts = Readonly<{
  service: Service;
  log: RequestLog;
  faults: CallFaults;
  /** Undefined accepts every test key. */
  secretKey: string | undefined;
  onError: (line: string) => void;
}>;

type Answer = Readonly<{ status: number; body: object }>;

const maxKeyLength = 255;

const checkKey = (request: FastifyRequest, secretKey: string | undefined): void => {
  const sent = request.headers.authorization ?? '';
  const key = sent.startsWith('Basic ')
    ? Buffer.from(sent.slice(6), 'base64').toString().split(':')[0]
    : sent.replace(/^Bearer /, '');
  const isKnown = secretKey === undefined ? /^(?:sk|rk)_test_\w+$/.test(key ?? '') : key === secretKey;
  if (!isKnown)
    throw new StripeFailure(401, {
      type: 'invalid_request_error',
      message: sent === '' ? 'You did not provide an API key.' : 'Invalid API Key provided.',
    });
};

const checkVersion = (request: FastifyRequest): void => {
  const version = request.headers['stripe-version'];
  if (version !== undefined && version !== apiVersion)
    throw invalid(`The sandbox knows the API version ${apiVersion} only, not ${String(version)}.`);
};

const formOf = (request: FastifyRequest): Form => {
  const query = request.raw.url?.split('?')[1] ?? '';
  const body = typeof request.body === 'string' ? request.body : '';
  return parseForm(request.method === 'POST' ? body : [query, body].filter((part) => part !== '').join('&'));
};

const idempotencyFailure = (status: number, message: string, code?: string): StripeFailure =>
  new StripeFailure(status, {
    type: 'idempotency_error',
    message,
    ...(code === undefined ? {} : { code }),
  });

const failureAnswer = ({ status, body }: StripeFailure): Answer => ({ status, body: { error: body } });

const internal: FailureBody = { type: 'api_error', message: 'An error occurred in the sandbox.' };

/** One call, without what the connection does. */
export const runRoute = (
  { service }: Pick<ApiParts, 'service'>,
  route: Route,
  call: Readonly<{ id: string; form: Form; info: RequestInfo; fingerprint: string }>,
): Answer => {
  const { id, form, info, fingerprint } = call;
  const key = info.idempotencyKey;
  const store = (tx: Tx, answer: Answer): Answer => {
    if (key !== null) tx.put('answer', { id: key, fingerprint, ...answer, created: tx.now });
    return answer;
  };
  // The answer to repeat is a part of the change that it is about.
  const work = (tx: Tx, forget: (customer: string) => void): Answer => {
    try {
      const body = expanded(tx, route.run({ tx, form, id, forget }), form);
      return store(tx, { status: 200, body });
    } catch (error) {
      if (error instanceof StripeFailure && error.keepsChanges) return store(tx, failureAnswer(error));
      throw error;
    }
  };
  try {
    checkParameters(route, form);
    if (route.method === 'GET') return service.read((tx) => work(tx, () => {}));
    return service.transact(work, info);
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    const answer = failureAnswer(error);
    return key === null ? answer : service.transact((tx) => store(tx, answer));
  }
};

const send = (reply: FastifyReply, { status, body }: Answer): FastifyReply =>
  // Nothing is left to answer on a connection that a fault has closed.
  reply.sent ? reply : reply.status(status).type('application/json').send(JSON.stringify(body));

/** The routes of the API, as the SDK calls them. */
export const registerApi = async (app: FastifyInstance, parts: ApiParts): Promise<void> => {
  const { service, log, faults, secretKey, onError } = parts;
  const inProgress = new Set<string>();
  let requests = 0;

  const answerTo = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const requestId = `req_${String((requests += 1)).padStart(12, '0')}`;
    void reply.headers({ 'request-id': requestId, 'stripe-version': apiVersion });
    const header = request.headers['idempotency-key'];
    const key = route.method === 'POST' && typeof header === 'string' ? header : null;
    if (key !== null) void reply.header('idempotency-key', key);
    const form = formOf(request);
    log.add(request, key, Object.keys(form));
    checkKey(request, secretKey);
    checkVersion(request);
    if (key !== null && key.length > maxKeyLength)
      throw invalid(`Keys for idempotent requests can only be up to ${maxKeyLength} characters long.`);
    const path = request.raw.url?.split('?')[0] ?? '';
    const fingerprint = createHash('sha256')
      .update(`${path} ${JSON.stringify(form)}`)
      .digest('base64');
    if (key !== null && inProgress.has(key))
      throw idempotencyFailure(
        409,
        'There is currently another in-progress request using this Idempotent Key.',
        'idempotency_key_in_use',
      );
    const stored = key === null ? undefined : service.tables.get('answer', key);
    if (stored) {
      if (stored.fingerprint !== fingerprint)
        throw idempotencyFailure(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${stored.id}' if you meant to execute a different request.`,
        );
      void reply.header('idempotent-replayed', 'true');
      await faults.after(request, reply);
      return stored;
    }
    if (key !== null) inProgress.add(key);
    try {
      await faults.before(request, reply);
      const id = (request.params as Readonly<{ id?: string }>).id ?? '';
      const answer = runRoute(parts, route, {
        id,
        form,
        info: { id: requestId, idempotencyKey: key },
        fingerprint,
      });
      await faults.after(request, reply);
      return answer;
    } finally {
      if (key !== null) inProgress.delete(key);
    }
  };

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof StripeFailure) return send(reply, failureAnswer(error));
      onError(`${request.method} ${request.url}: ${error instanceof Error ? error.message : String(error)}`);
      return send(reply, { status: 500, body: { error: internal } });
    });
    for (const route of routes)
      scope.route({
        method: route.method,
        url: route.path,
        handler: async (request, reply) => send(reply, await answerTo(route, request, reply)),
      });
    scope.all('/v1/*', (request, reply) =>
      send(
        reply,
        failureAnswer(
          new StripeFailure(404, {
            type: 'invalid_request_error',
            message: `Unrecognized request URL (${request.method}: ${request.url.split('?')[0] ?? ''}).`,
          }),
        ),
      ),
    );
  });
};
