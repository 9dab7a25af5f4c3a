import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Position, RecordedEvent, TapePage } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { ReplaySubject, type Observable } from 'rxjs';
import type { Logger } from '../../log.ts';
import { EVENT_STORE, LOGGER } from '../../tokens.ts';
import { ChangeTopics, type TopicChange } from './change-topics.ts';

type Listener = (change: TopicChange) => void;

/** An account with open pages, and where its events are. */
type Watched = {
  readonly listeners: Set<Listener>;
  readonly streams: Set<string>;
  readonly found: Promise<void>;
};

type Following = Readonly<{ controller: AbortController; begun: Promise<void> }>;

export type Watch = Readonly<{ changes: Observable<TopicChange>; stop: () => void }>;

const retryMs = 1_000;
const pageSize = 1_000;
/** Kept until the answer begins. */
const maxKept = 20;

/**
 * Follows the tape while an account has an open page, and reports what changes its topics. So it does not matter which
 * process has appended the events.
 */
@Injectable()
export class AccountChanges {
  readonly #topics: ChangeTopics;
  readonly #store: EventStore;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  readonly #accountsOf = new Map<string, Set<string>>();
  #following: Following | undefined;

  constructor(topics: ChangeTopics, @Inject(EVENT_STORE) store: EventStore, @Inject(LOGGER) logger: Logger) {
    this.#topics = topics;
    this.#store = store;
    this.#logger = logger;
  }

  /** Resolves when no change of the account's topics is missed any more. `stop` has to be called. */
  async watch(account: AccountId): Promise<Watch> {
    const changes = new ReplaySubject<TopicChange>(maxKept);
    const listener: Listener = (change) => changes.next(change);
    const stop = (): void => this.#remove(account, listener);
    this.#following ??= this.#begin();
    const { begun } = this.#following;
    const { found } = this.#add(account, listener);
    try {
      await Promise.all([begun, found]);
    } catch (error) {
      stop();
      throw error;
    }
    return { changes, stop };
  }

  #add(account: AccountId, listener: Listener): Watched {
    const known = this.#watched.get(account);
    if (known) {
      known.listeners.add(listener);
      return known;
    }
    const found = this.#findStreams(account);
    const watched = { listeners: new Set([listener]), streams: new Set<string>(), found };
    this.#watched.set(account, watched);
    return watched;
  }

  #remove(account: AccountId, listener: Listener): void {
    const watched = this.#watched.get(account);
    watched?.listeners.delete(listener);
    if (!watched || watched.listeners.size > 0) return;
    this.#watched.delete(account);
    for (const stream of watched.streams) {
      const accounts = this.#accountsOf.get(stream);
      accounts?.delete(account);
      if (accounts?.size === 0) this.#accountsOf.delete(stream);
    }
    if (this.#watched.size > 0) return;
    this.#following?.controller.abort();
    this.#following = undefined;
  }

  async #findStreams(account: AccountId): Promise<void> {
    const found = await Promise.all(this.#topics.ofAccounts.map(({ streamsOf }) => streamsOf(account)));
    for (const stream of found.flat()) this.#note(account, stream);
  }

  #note(account: string, stream: string): void {
    const watched = this.#watched.get(account);
    if (!watched) return;
    watched.streams.add(stream);
    this.#accountsOf.set(stream, (this.#accountsOf.get(stream) ?? new Set()).add(account));
  }

  #begin(): Following {
    const controller = new AbortController();
    const begun = this.#store.head().then((head) => void this.#follow(head, controller.signal));
    return { controller, begun };
  }

  async #follow(head: Position, signal: AbortSignal): Promise<void> {
    const types = [...new Set(this.#topics.ofAccounts.flatMap((topic) => topic.types))];
    for (let after = head; types.length > 0 && !signal.aborted;) {
      try {
        const pages = this.#store.follow({ after, batchSize: pageSize, types, form: 'sealed', signal });
        for await (const page of pages) this.#report(page);
      } catch (error) {
        this.#logger.warn({ err: error }, 'changes of accounts could not be followed, will be retried');
        await setTimeout(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
        after = await this.#store.head().catch(() => after);
        // What was appended since the error is unknown.
        this.#reportAll(after);
      }
    }
  }

  #report({ events }: TapePage): void {
    for (const event of events) {
      const topics = this.#topics.ofAccounts.filter(({ types }) => types.includes(event.type));
      for (const account of this.#accountsIn(event))
        for (const { name } of topics) this.#send(account, { topic: name, position: event.position });
    }
  }

  #accountsIn({ data, stream }: RecordedEvent): readonly string[] {
    const named = data['accountId'];
    if (typeof named === 'string') this.#note(named, stream);
    return [...(this.#accountsOf.get(stream) ?? [])];
  }

  #reportAll(position: Position): void {
    for (const account of this.#watched.keys())
      for (const { name } of this.#topics.ofAccounts) this.#send(account, { topic: name, position });
  }

  #send(account: string, change: TopicChange): void {
    for (const listener of this.#watched.get(account)?.listeners ?? []) listener(change);
  }
}
