import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { DomainError } from '@tapedeck/kernel';
import { catchError, type Observable } from 'rxjs';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import { requestSignal } from '@tapedeck/platform/http';

const gone = (): DomainError =>
  new DomainError('unavailable', 'REQUEST_ABORTED', 'The request was given up.');

/**
 * Spares the engine what nobody is waiting for: a filter that was changed again aborts its request, and that
 * is known once the session has been looked up. Before the catalogue is loaded there is nothing to answer from.
 */
@Injectable()
export class SkipAbortedRequests implements NestInterceptor {
  readonly #feed: CatalogueFeed;

  constructor(feed: CatalogueFeed) {
    this.#feed = feed;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const signal = requestSignal(context);
    if (signal.aborted) throw gone();
    this.#feed.assertReady();
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw signal.aborted ? gone() : error;
      }),
    );
  }
}
