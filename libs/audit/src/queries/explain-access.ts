import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable } from '@tapedeck/eventing';
import { isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import { CLOCK } from '@tapedeck/platform/tokens';
import type {
  AccessDifference,
  AccessExplanation,
  EventSummary,
  Knowledge,
  MembershipView,
} from '../contract.ts';
import { explainAt, type Explanation } from '../domain/explain.ts';
import type { MemberHistory } from '../domain/history.ts';
import { explainTruthAt, truthAt } from '../domain/truth.ts';
import { changedFields, viewAt } from '../domain/view.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import { AUDIT_READS, readPerson, summariesOf, timelineColumns, type AuditReads } from './audit-reads.ts';
import { MEMBER_HISTORIES, type MemberHistories } from './member-histories.ts';

export class ExplainAccess extends Query<AccessExplanation> {
  constructor(
    readonly accountId: AccountId,
    readonly at: string | undefined,
    readonly knowledge: Knowledge,
  ) {
    super();
  }
}

export class CompareAccess extends Query<AccessDifference> {
  constructor(
    readonly accountId: AccountId,
    readonly from: string,
    readonly to: string | undefined,
    readonly knowledge: Knowledge,
  ) {
    super();
  }
}

type Answers = Readonly<{
  view: (history: MemberHistory, at: string) => MembershipView;
  explain: (history: MemberHistory, at: string) => Explanation;
}>;

const answersBy: Readonly<Record<Knowledge, Answers>> = {
  then: { view: viewAt, explain: explainAt },
  now: { view: truthAt, explain: explainTruthAt },
};

/** Times of requests may be without milliseconds, those of events never are. */
const isoOf = (time: string): string => new Date(time).toISOString();

const chainSql = `
  select ${timelineColumns} from audit_timeline t where t.event_id = any($1::uuid[]) order by t.position`;

const readChain = async (reads: AuditReads, { chain }: Explanation): Promise<EventSummary[]> => {
  if (chain.length === 0) return [];
  const { rows } = await reads.pool.query<TimelineRow>(chainSql, [chain.map(({ id }) => id)]);
  return summariesOf(reads, rows);
};

const readQuote = async ({ store }: AuditReads, { quote }: Explanation): Promise<string | null> => {
  if (quote === null) return null;
  const [reason] = await store.unseal([quote]);
  const text = readable(reason ?? null, null);
  return typeof text === 'string' ? text : null;
};

@QueryHandler(ExplainAccess)
export class ExplainAccessHandler implements IQueryHandler<ExplainAccess> {
  readonly #reads: AuditReads;
  readonly #histories: MemberHistories;
  readonly #clock: Clock;

  constructor(
    @Inject(AUDIT_READS) reads: AuditReads,
    @Inject(MEMBER_HISTORIES) histories: MemberHistories,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#reads = reads;
    this.#histories = histories;
    this.#clock = clock;
  }

  async execute({ accountId, at: asked, knowledge }: ExplainAccess): Promise<AccessExplanation> {
    await readPerson(this.#reads, accountId);
    const history = await this.#histories.of(accountId);
    const now = isoNow(this.#clock);
    const at = asked === undefined ? now : isoOf(asked);
    const { view: viewBy, explain } = answersBy[knowledge];
    const view = viewBy(history, at);
    const explanation = explain(history, at);
    const [chain, reason] = await Promise.all([
      readChain(this.#reads, explanation),
      readQuote(this.#reads, explanation),
    ]);
    return {
      at,
      knowledge,
      sentence: explanation.sentence,
      reason,
      chain,
      view,
      sinceThen: [...changedFields(view, viewBy(history, now))],
      knownLater: knowledge === 'now' ? [] : [...changedFields(view, truthAt(history, at))],
    };
  }
}

@QueryHandler(CompareAccess)
export class CompareAccessHandler implements IQueryHandler<CompareAccess> {
  readonly #reads: AuditReads;
  readonly #histories: MemberHistories;
  readonly #clock: Clock;

  constructor(
    @Inject(AUDIT_READS) reads: AuditReads,
    @Inject(MEMBER_HISTORIES) histories: MemberHistories,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#reads = reads;
    this.#histories = histories;
    this.#clock = clock;
  }

  async execute({ accountId, from: asked, to: end, knowledge }: CompareAccess): Promise<AccessDifference> {
    await readPerson(this.#reads, accountId);
    const history = await this.#histories.of(accountId);
    const from = isoOf(asked);
    const to = end === undefined ? isoNow(this.#clock) : isoOf(end);
    const { view } = answersBy[knowledge];
    return { from, to, fields: [...changedFields(view(history, from), view(history, to))] };
  }
}
