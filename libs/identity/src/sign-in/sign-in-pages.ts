import type { Problem } from '@tapedeck/platform/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identityRoutes } from '../contract.ts';
import { failurePage, pageHeaders } from './pages.ts';

const navigations: ReadonlySet<string | undefined> = new Set([
  identityRoutes.login,
  identityRoutes.loginCallback,
  identityRoutes.logout,
]);

const isNavigation = ({ routeOptions, headers }: FastifyRequest): boolean =>
  navigations.has(routeOptions.url) && (headers.accept ?? '').includes('text/html');

/** People meet these routes as pages: what goes wrong there is told as one. */
export const registerSignInPages = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' || !type.startsWith('application/problem+json')) return payload;
    if (!isNavigation(request)) return payload;
    const { detail } = JSON.parse(payload) as Problem;
    void reply.headers(pageHeaders).removeHeader('content-length');
    return failurePage('That did not work', detail);
  });
};
