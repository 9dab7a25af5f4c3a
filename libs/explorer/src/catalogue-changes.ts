import { Injectable, type MessageEvent, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { interval, map, merge, Observable, startWith, Subject, takeUntil, throttleTime, timer } from 'rxjs';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';

/** Milliseconds: an import's many changes are told in steps of this length. */
const step = 200;
/** Keeps proxies from closing a quiet connection. */
const heartbeat = 25_000;
/** Then the browser connects again, and shows again that it is signed in. */
const longestConnection = 10 * 60_000;

/** Tells browsers that the catalogue has moved. */
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

  /** The present position first, then every move; ends when the application does. */
  stream(): Observable<MessageEvent> {
    const positions = this.#positions.pipe(
      throttleTime(step, undefined, { leading: false, trailing: true }),
      startWith(...(this.#latest === undefined ? [] : [this.#latest])),
      map((position): MessageEvent => ({ data: { position: position.toString() } })),
    );
    const beats = interval(heartbeat).pipe(map((): MessageEvent => ({ comment: 'still there' })));
    return merge(positions, beats).pipe(takeUntil(merge(this.#ended, timer(longestConnection))));
  }

  onModuleDestroy(): void {
    this.#ended.next();
  }
}
