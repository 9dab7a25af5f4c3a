import { Injectable } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { Subject, type Observable } from 'rxjs';

/** What every account with a feature sees the same, such as the catalogue. */
export type SharedTopic = Readonly<{ name: string; feature: string }>;

/** What an account sees of its own, by the events that change it. */
export type AccountTopic = Readonly<{
  name: string;
  types: readonly string[];
  /** The streams with such events of the account. Those whose events name it as `accountId` may be missing. */
  streamsOf: (account: AccountId) => Promise<readonly string[]>;
}>;

/** Something that browsers show has changed: a read with this position sees it. */
export type TopicChange = Readonly<{ topic: string; position: Position }>;

/** What browsers can follow; each module registers its topics. */
@Injectable()
export class ChangeTopics {
  readonly #shared = new Map<string, SharedTopic>();
  readonly #latest = new Map<string, Position>();
  readonly #changes = new Subject<TopicChange>();
  readonly #ofAccounts: AccountTopic[] = [];

  /** Returns the function that reports a change of the topic. */
  registerShared(topic: SharedTopic): (position: Position) => void {
    this.#shared.set(topic.name, topic);
    return (position) => {
      this.#latest.set(topic.name, position);
      this.#changes.next({ topic: topic.name, position });
    };
  }

  registerOfAccount(topic: AccountTopic): void {
    this.#ofAccounts.push(topic);
  }

  get shared(): readonly SharedTopic[] {
    return [...this.#shared.values()];
  }

  get ofAccounts(): readonly AccountTopic[] {
    return this.#ofAccounts;
  }

  /** Of shared topics. */
  get changes(): Observable<TopicChange> {
    return this.#changes;
  }

  /** The last change of each shared topic. */
  latest(): readonly TopicChange[] {
    return [...this.#latest].map(([topic, position]) => ({ topic, position }));
  }
}
