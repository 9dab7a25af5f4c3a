import 'reflect-metadata';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { columnarBackend } from '@tapedeck/columnar/backend';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { createLogger } from '@tapedeck/platform/log';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import pg from 'pg';
import { of } from 'rxjs';
import { SkipAbortedRequests } from './skip-aborted-requests.ts';

/** A feed that has not been started, and so never connects. */
const unstarted = new CatalogueFeed(
  columnarBackend({
    store: createMemoryEventStore({ types: {} }),
    catalogue: new pg.Pool(),
    logger: createLogger('test', 'silent'),
  }),
);

const refusalOf = (destroyed: boolean): unknown => {
  const request = { raw: { socket: { destroyed } } };
  const reply = { raw: new EventEmitter() };
  const http = { getRequest: () => request, getResponse: () => reply };
  // The interceptor reads nothing else of Nest's context.
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  try {
    new SkipAbortedRequests(unstarted).intercept(context, { handle: () => of('answer') });
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('SkipAbortedRequests', () => {
  it('refuses an aborted request', () => {
    expect(refusalOf(true)).toMatchObject({ kind: 'unavailable', code: 'REQUEST_ABORTED' });
  });

  it('refuses every request before the catalogue is loaded', () => {
    expect(refusalOf(false)).toMatchObject({ kind: 'unavailable', code: 'CATALOGUE_LOADING' });
  });
});
