import { Injectable, type MessageEvent, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import { interval, map, merge, Observable, startWith, Subject, takeUntil, throttleTime, timer } from 'rxjs';

/** An import's many changes are sent at most this often. */
const minIntervalMs = 200;
/** Keeps proxies from closing a quiet connection. */
const heartbeatMs = 25_000;
/** The browser then connects again, and its session is checked again. */
const maxConnectionMs = 10 * 60_000;

/** Sends the catalogue's position to browsers whenever it changes. */
@Injectable()
export class CatalogueChanges implements OnModuleDestroy {
  readonly #positions = new Subject<Position>();
  readonly #ended = new Subject<void>();
  #latest: Position | undefined;

  constructor(feed: CatalogueFeed) {
    feed.onChange((position) => {
      this.#latest = position;
      this.#positions.next(position);
    });
  }

  /** The present position first, then every change; ends with the application. */
  stream(): Observable<MessageEvent> {
    const positions = this.#positions.pipe(
      throttleTime(minIntervalMs, undefined, { leading: false, trailing: true }),
      startWith(...(this.#latest === undefined ? [] : [this.#latest])),
      map((position): MessageEvent => ({ data: { position: position.toString() } })),
    );
    const beats = interval(heartbeatMs).pipe(map((): MessageEvent => ({ comment: 'heartbeat' })));
    return merge(positions, beats).pipe(takeUntil(merge(this.#ended, timer(maxConnectionMs))));
  }

  onModuleDestroy(): void {
    this.#ended.next();
  }
}
