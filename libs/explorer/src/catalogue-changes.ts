import { Inject, Injectable, type MessageEvent, type OnModuleDestroy } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { CONFIG } from '@tapedeck/platform/tokens';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import {
  defer,
  finalize,
  interval,
  map,
  merge,
  share,
  startWith,
  Subject,
  takeUntil,
  throttleTime,
  timer,
  type Observable,
} from 'rxjs';

/** An import's many changes are sent at most this often. */
const minIntervalMs = 200;
/** Keeps proxies from closing a quiet connection. */
const heartbeatMs = 25_000;
/** The browser then connects again, and its session is checked again. What a client does not read is bounded by it. */
const maxConnectionMs = 10 * 60_000;

const messageOf = (position: Position): MessageEvent => ({ data: { position: position.toString() } });

const tooManyStreams = (): DomainError =>
  new DomainError(
    'too-many',
    'TOO_MANY_CHANGE_STREAMS',
    'Too many pages wait for changes of the catalogue: close some, or reload this page to see changes.',
    { retryAfterSeconds: 60 },
  );

/** Sends the catalogue's position to browsers whenever it changes. */
@Injectable()
export class CatalogueChanges implements OnModuleDestroy {
  readonly #positions = new Subject<Position>();
  /** One timer and one message for all streams. */
  readonly #messages = this.#positions.pipe(
    throttleTime(minIntervalMs, undefined, { leading: false, trailing: true }),
    map(messageOf),
    share(),
  );
  readonly #ended = new Subject<void>();
  readonly #byClient = new Map<string, number>();
  readonly #max: Readonly<{ perClient: number; all: number }>;
  #all = 0;
  #latest: Position | undefined;

  constructor(feed: CatalogueFeed, @Inject(CONFIG) config: ApiConfig) {
    this.#max = { perClient: config.CHANGE_STREAMS_PER_CLIENT, all: config.CHANGE_STREAMS };
    feed.onChange((position) => {
      this.#latest = position;
      this.#positions.next(position);
    });
  }

  /**
   * The present position first, then every change; ends with the application.
   * @throws DomainError TOO_MANY_CHANGE_STREAMS: ending another one instead would only make its page connect again
   */
  stream(client: string): Observable<MessageEvent> {
    const isFull = this.#all >= this.#max.all || this.#of(client) >= this.#max.perClient;
    if (isFull) throw tooManyStreams();
    const beats = interval(heartbeatMs).pipe(map((): MessageEvent => ({ comment: 'heartbeat' })));
    return defer(() => {
      this.#add(client, 1);
      const present = this.#latest === undefined ? [] : [messageOf(this.#latest)];
      return merge(this.#messages.pipe(startWith(...present)), beats).pipe(
        takeUntil(merge(this.#ended, timer(maxConnectionMs))),
        finalize(() => this.#add(client, -1)),
      );
    });
  }

  onModuleDestroy(): void {
    this.#ended.next();
  }

  #of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  #add(client: string, count: 1 | -1): void {
    this.#all += count;
    const streams = this.#of(client) + count;
    if (streams > 0) this.#byClient.set(client, streams);
    else this.#byClient.delete(client);
  }
}
