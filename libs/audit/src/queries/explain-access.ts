import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable } from '@tapedeck/eventing';
import { isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import type {
  AccessDifference,
  AccessExplanation,
  EventSummary,
  Knowledge,
  MembershipView,
} from '../contract.ts';
import { explainAt, type Explanation } from '../domain/explain.ts';
import type { MemberHistory } from '../domain/history.ts';
import { textOf } from '../domain/sentence-parts.ts';
import { explainTruthAt, truthAt } from '../domain/truth.ts';
import { changedFields, viewAt } from '../domain/view.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import { readPerson, summariesOf, timelineColumns, type AuditReads, readTextParts } from './audit-reads.ts';
import type { MemberHistories } from './member-histories.ts';

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

const asKnownThen: Answers = { view: viewAt, explain: explainAt };
const asKnownNow: Answers = { view: truthAt, explain: explainTruthAt };

const answersBy = (knowledge: Knowledge): Answers => (knowledge === 'then' ? asKnownThen : asKnownNow);

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

/** What the answers about access are made from. */
export type AccessReads = Readonly<{ reads: AuditReads; histories: MemberHistories; clock: Clock }>;

export const ACCESS_READS = Symbol('AccessReads');

type Begun = Readonly<{ history: MemberHistory; now: string }>;

/** @throws DomainError MEMBER_NOT_FOUND */
const begin = async ({ reads, histories, clock }: AccessReads, account: AccountId): Promise<Begun> => {
  await readPerson(reads, account);
  return { history: await histories.of(account), now: isoNow(clock) };
};

@QueryHandler(ExplainAccess)
export class ExplainAccessHandler implements IQueryHandler<ExplainAccess> {
  readonly #reads: AccessReads;

  constructor(@Inject(ACCESS_READS) reads: AccessReads) {
    this.#reads = reads;
  }

  async execute({ accountId, at: asked, knowledge }: ExplainAccess): Promise<AccessExplanation> {
    const { reads } = this.#reads;
    const { history, now } = await begin(this.#reads, accountId);
    const at = asked === undefined ? now : isoOf(asked);
    const { view: viewBy, explain } = answersBy(knowledge);
    const view = viewBy(history, at);
    const explanation = explain(history, at);
    const [chain, reason, parts] = await Promise.all([
      readChain(reads, explanation),
      readQuote(reads, explanation),
      readTextParts(reads, explanation.sentence),
    ]);
    return {
      at,
      knowledge,
      sentence: textOf(explanation.sentence),
      parts,
      reason,
      chain,
      view,
      sinceThen: at === now ? [] : [...changedFields(view, viewBy(history, now))],
      knownLater: knowledge === 'now' ? [] : [...changedFields(view, truthAt(history, at))],
    };
  }
}

@QueryHandler(CompareAccess)
export class CompareAccessHandler implements IQueryHandler<CompareAccess> {
  readonly #reads: AccessReads;

  constructor(@Inject(ACCESS_READS) reads: AccessReads) {
    this.#reads = reads;
  }

  async execute({ accountId, from: asked, to: end, knowledge }: CompareAccess): Promise<AccessDifference> {
    const { history, now } = await begin(this.#reads, accountId);
    const from = isoOf(asked);
    const to = end === undefined ? now : isoOf(end);
    const { view } = answersBy(knowledge);
    return { from, to, fields: [...changedFields(view(history, from), view(history, to))] };
  }
}
