import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readEvents, typedEvents, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { subscriptionEvents, subscriptionStream } from '@tapedeck/payments/events';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { HistoryQuery, MemberHistory as MemberHistoryAnswer } from '../contract.ts';
import { historyText } from '../domain/history-text.ts';
import { paymentLines } from '../domain/payment-text.ts';
import {
  evolve,
  membershipEvents,
  membershipStream,
  noMembership,
  type MembershipEvent,
} from '../domain/membership.ts';

export class MemberHistory extends Query<MemberHistoryAnswer> {
  constructor(
    readonly accountId: AccountId,
    readonly page: HistoryQuery,
  ) {
    super();
  }
}

type Entry = MemberHistoryAnswer['entries'][number];
/** `order` is unique, and the cursor of the page that follows. */
type Line = Readonly<{ order: string; entry: Entry }>;

const positionDigits = 19;

const lineOf = ({ position }: Pick<RecordedEvent, 'position'>, entry: Entry): Line => ({
  order: `${entry.at}_${String(position).padStart(positionDigits, '0')}`,
  entry,
});

const membershipLines = (events: readonly RecordedEvent<MembershipEvent>[]): readonly Line[] => {
  let membership = noMembership;
  return events.flatMap((event) => {
    membership = evolve(membership, event);
    const text = historyText(event, membership);
    const at = event.metadata.occurredAt;
    return text === null ? [] : [lineOf(event, { at, text, kind: 'membership' })];
  });
};

const subscriptionsIn = (events: readonly RecordedEvent<MembershipEvent>[]): readonly string[] =>
  events.flatMap(({ type, data }) => (type === 'MembershipOpened' ? [data.subscriptionId] : []));

const newestFirst = (a: Line, b: Line): number => (a.order < b.order ? 1 : -1);

@QueryHandler(MemberHistory)
export class MemberHistoryHandler implements IQueryHandler<MemberHistory> {
  readonly #store: EventStore;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
  }

  /** From the tape itself, so that a member reads what support reads; a membership has a few events a month. */
  async execute({ accountId, page: { before, limit } }: MemberHistory): Promise<MemberHistoryAnswer> {
    const events = await readEvents(this.#store, membershipStream(accountId), membershipEvents);
    const lines = [...membershipLines(events), ...(await this.#paymentLines(events, accountId))];
    const older = lines.filter(({ order }) => before === undefined || order < before).sort(newestFirst);
    const page = older.slice(0, limit);
    return {
      entries: page.map(({ entry }) => entry),
      next: older.length > limit ? (page.at(-1)?.order ?? null) : null,
    };
  }

  async #paymentLines(
    events: readonly RecordedEvent<MembershipEvent>[],
    accountId: AccountId,
  ): Promise<readonly Line[]> {
    const streams = await this.#store.readStreams(subscriptionsIn(events).map(subscriptionStream));
    return [...streams.values()]
      .flatMap((stream) => paymentLines(typedEvents(stream, subscriptionEvents), accountId))
      .map(({ event, at, text }) => lineOf(event, { at, text, kind: 'payment' }));
  }
}
