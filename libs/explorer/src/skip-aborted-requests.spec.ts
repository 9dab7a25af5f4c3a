import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { EventEmitter } from 'node:events';
import pg from 'pg';
import { createLogger } from '@tapedeck/platform/log';
import { of } from 'rxjs';
import { CatalogueFeed, configuredBackend } from '@tapedeck/search-engine/engine';
import { SkipAbortedRequests } from './skip-aborted-requests.ts';

/** A feed that has not been started, and so never connects. */
const unstarted = new CatalogueFeed(
  configuredBackend(
    { ELASTICSEARCH_INDEX: 'unused' },
    {
      store: createMemoryEventStore({ types: {} }),
      catalogue: new pg.Pool(),
      logger: createLogger('test', 'silent'),
    },
  ),
);

const refusalOf = (destroyed: boolean): unknown => {
  const request = { raw: { socket: { destroyed } } };
  const reply = { raw: new EventEmitter() };
  const http = { getRequest: () => request, getResponse: () => reply };
  // Nest's context has far more; the interceptor asks for the request and its answer only.
  // All that is looked at of a context.
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  try {
    new SkipAbortedRequests(unstarted).intercept(context, { handle: () => of('answer') });
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('requests that are not worth answering', () => {
  it('are those that were given up', () => {
    expect(refusalOf(true)).toMatchObject({ kind: 'unavailable', code: 'REQUEST_ABORTED' });
  });

  it('are those before the catalogue is loaded', () => {
    expect(refusalOf(false)).toMatchObject({ kind: 'unavailable', code: 'CATALOGUE_LOADING' });
  });
});
