import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventStore, RecordedEvent } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { MemberHistory as MemberHistoryAnswer } from '../contract.ts';
import { historyText } from '../domain/history-text.ts';
import { membershipStream, type MembershipEvent } from '../events.ts';

export class MemberHistory extends Query<MemberHistoryAnswer> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

@QueryHandler(MemberHistory)
export class MemberHistoryHandler implements IQueryHandler<MemberHistory> {
  readonly #store: EventStore;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
  }

  /** From the tape itself, so that a member reads what support reads; a membership has a few events a month. */
  async execute({ accountId }: MemberHistory): Promise<MemberHistoryAnswer> {
    const events = await this.#store.readStream(membershipStream(accountId));
    const entries = events.flatMap((event) => {
      const text = historyText(event as unknown as RecordedEvent<MembershipEvent>);
      return text === null ? [] : [{ at: event.metadata.occurredAt, text, kind: 'membership' as const }];
    });
    return { entries: entries.reverse() };
  }
}
