import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { DomainError } from '@tapedeck/kernel';
import { requestSignal } from '@tapedeck/platform/http';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import { catchError, type Observable } from 'rxjs';

const requestAborted = (): DomainError =>
  new DomainError('unavailable', 'REQUEST_ABORTED', 'The request was aborted.');

/**
 * Refuses requests that were aborted while their session was looked up (a filter that changes again aborts its
 * request), and every request before the catalogue is loaded.
 */
@Injectable()
export class SkipAbortedRequests implements NestInterceptor {
  readonly #feed: CatalogueFeed;

  constructor(feed: CatalogueFeed) {
    this.#feed = feed;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const signal = requestSignal(context);
    if (signal.aborted) throw requestAborted();
    this.#feed.assertReady();
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw signal.aborted ? requestAborted() : error;
      }),
    );
  }
}
