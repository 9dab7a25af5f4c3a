import { Inject, Injectable, Optional, type MessageEvent, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '@tapedeck/kernel';
import {
  concatMap,
  defer,
  EMPTY,
  filter,
  finalize,
  groupBy,
  interval,
  map,
  merge,
  mergeMap,
  of,
  ReplaySubject,
  share,
  startWith,
  Subject,
  takeUntil,
  throttleTime,
  timer,
  type Observable,
} from 'rxjs';
import type { ApiConfig } from '../../settings/platform-settings.ts';
import { changesReady } from '../../contract.ts';
import { CONFIG, MEMBER_FEATURES } from '../../tokens.ts';
import type { MemberFeatures, RequestAccount } from '../request-context.ts';
import { AccountChanges } from './account-changes.ts';
import { ChangeTopics, type TopicChange } from './change-topics.ts';
import { LiveSessions } from './live-sessions.ts';

/** Many changes of one topic, such as those of an import, are sent at most this often. */
const minIntervalMs = 200;
/** Keeps proxies from closing a quiet connection. The sessions of open streams are checked as often. */
const heartbeatMs = 25_000;
/** The browser then connects again. What a client does not read is bounded by it. */
const maxConnectionMs = 10 * 60_000;

/** Within it an answer begins, unless its client has gone. */
const maxBeginMs = 10_000;

const isAmong = (live: ReadonlySet<string>, { session }: RequestAccount): boolean =>
  session === undefined || live.has(session.publicId);

const messageOf = ({ topic, position }: TopicChange): MessageEvent => ({
  data: { topic, position: position.toString() },
});

const throttled = (changes: Observable<TopicChange>): Observable<TopicChange> =>
  changes.pipe(
    groupBy(({ topic }) => topic),
    mergeMap((ofTopic) =>
      ofTopic.pipe(throttleTime(minIntervalMs, undefined, { leading: false, trailing: true })),
    ),
  );

const tooManyStreams = (): DomainError =>
  new DomainError(
    'too-many',
    'TOO_MANY_CHANGE_STREAMS',
    'Too many pages are waiting for changes: close some, or reload this page to see changes.',
    { retryAfterSeconds: 60 },
  );

/** One stream per page: what its account may see changes, whichever process has changed it. */
@Injectable()
export class ChangeStreams implements OnModuleDestroy {
  readonly #topics: ChangeTopics;
  readonly #accounts: AccountChanges;
  readonly #features: MemberFeatures | undefined;
  readonly #live: LiveSessions;
  readonly #max: Readonly<{ perClient: number; all: number }>;
  readonly #ended = new ReplaySubject<void>(1);
  readonly #byClient = new Map<string, number>();
  readonly #signedIn = new Set<RequestAccount>();
  readonly #shared: Observable<TopicChange>;
  /** One timer and one query for all streams. */
  readonly #beats = interval(heartbeatMs).pipe(
    concatMap(() => this.#live.of([...this.#signedIn]).catch(() => null)),
    share(),
  );
  #all = 0;

  constructor(
    topics: ChangeTopics,
    accounts: AccountChanges,
    live: LiveSessions,
    @Inject(CONFIG) config: ApiConfig,
    /** Without them, as in tests of single modules, no page has shared topics. */
    @Optional() @Inject(MEMBER_FEATURES) features?: MemberFeatures,
  ) {
    this.#topics = topics;
    this.#accounts = accounts;
    this.#live = live;
    this.#features = features;
    this.#max = { perClient: config.CHANGE_STREAMS_PER_CLIENT, all: config.CHANGE_STREAMS };
    this.#shared = throttled(topics.changes).pipe(share());
  }

  /**
   * The present position of each shared topic first, then every change; ends with the session and with the application.
   * @throws DomainError TOO_MANY_CHANGE_STREAMS: ending another one instead would only make its page connect again
   */
  async stream(client: string, account: RequestAccount): Promise<Observable<MessageEvent>> {
    const isFull = this.#all >= this.#max.all || this.#of(client) >= this.#max.perClient;
    if (isFull) throw tooManyStreams();
    this.#add(client, 1);
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) this.#add(client, -1);
      isHeld = false;
    };
    try {
      const allowed = await this.#allowed(account);
      const { changes, stop } = await this.#accounts.watch(account.id);
      this.#signedIn.add(account);
      return this.#released(this.#messages(account, changes, allowed), () => {
        stop();
        this.#signedIn.delete(account);
        leave();
      });
    } catch (error) {
      leave();
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.#ended.next();
  }

  /** Released when it ends, or soon when the client has gone before it begins. */
  #released(messages: Observable<MessageEvent>, release: () => void): Observable<MessageEvent> {
    const unused = setTimeout(release, maxBeginMs).unref();
    return defer(() => {
      clearTimeout(unused);
      return messages.pipe(takeUntil(merge(this.#ended, timer(maxConnectionMs))), finalize(release));
    });
  }

  #messages(
    account: RequestAccount,
    changes: Observable<TopicChange>,
    allowed: ReadonlySet<string>,
  ): Observable<MessageEvent> {
    const over = new Subject<void>();
    const own = throttled(changes).pipe(
      // The browser connects again when it is not known whether the session has ended.
      concatMap(async (change) => ((await this.#isSignedIn(account)) ? [change] : over.next())),
      mergeMap((sent) => sent ?? []),
    );
    const beats = this.#beats.pipe(
      mergeMap((live) => {
        if (live === null || isAmong(live, account)) return of<MessageEvent>({ comment: 'heartbeat' });
        over.next();
        return EMPTY;
      }),
    );
    const isAllowed = ({ topic }: TopicChange): boolean => allowed.has(topic);
    const shared = this.#shared.pipe(
      filter(isAllowed),
      startWith(...this.#topics.latest().filter(isAllowed)),
    );
    const messages = merge(shared, own).pipe(map(messageOf));
    return merge(of<MessageEvent>({ type: changesReady, data: {} }), messages, beats).pipe(takeUntil(over));
  }

  async #isSignedIn(account: RequestAccount): Promise<boolean> {
    return isAmong(await this.#live.of([account]).catch(() => new Set<string>()), account);
  }

  async #allowed(account: RequestAccount): Promise<ReadonlySet<string>> {
    const { shared } = this.#topics;
    const has = await Promise.all(shared.map(async ({ feature }) => this.#features?.has(account, feature)));
    return new Set(shared.filter((_, index) => has[index]).map(({ name }) => name));
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
