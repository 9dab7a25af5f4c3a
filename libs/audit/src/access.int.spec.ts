import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import { accountStream } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import fc from 'fast-check';
import { AccessDifference, AccessExplanation, auditRoutes, type Knowledge } from './contract.ts';
import { explainAt } from './domain/explain.ts';
import type { MemberHistory } from './domain/history.ts';
import { textOf } from './domain/sentence-parts.ts';
import { explainTruthAt, truthAt } from './domain/truth.ts';
import { changedFields, viewAt } from './domain/view.ts';
import { appendTape } from './testing/append-tape.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';
import { lives } from './testing/random-tape.ts';
import { grant, newTape, revoke, tell, type Tape } from './testing/tape.ts';
import { day, paidInvoice, snapshot, february } from '@tapedeck/payments/testing';

let api: AuditApi;
/** Another process of the API, with a memory of its own. */
let other: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
  other = await api.another();
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const explain = async (
  account: AccountId,
  at: string,
  { knowledge = 'then', by = api }: Readonly<{ knowledge?: Knowledge; by?: AuditApi }> = {},
): Promise<AccessExplanation> => {
  const answer = await by.call('GET', `${auditRoutes.access(account)}?at=${at}&knowledge=${knowledge}`);
  return AccessExplanation.parse(answer.body);
};

const now = (): string => new Date(api.clock.now()).toISOString();

/** What the rules say of a history in memory. */
const expected = (history: MemberHistory, at: string, knowledge: Knowledge): object => {
  const [explainBy, viewBy] = knowledge === 'then' ? [explainAt, viewAt] : [explainTruthAt, truthAt];
  const { sentence, chain } = explainBy(history, at);
  const view = viewBy(history, at);
  return {
    sentence: textOf(sentence),
    view,
    chain: [...new Set(chain)].sort((a, b) => (a.position < b.position ? -1 : 1)).map(({ id }) => id),
    sinceThen: changedFields(view, viewBy(history, now())),
    knownLater: knowledge === 'now' ? [] : changedFields(view, truthAt(history, at)),
  };
};

const shown = ({ sentence, view, chain, sinceThen, knownLater }: AccessExplanation): object => ({
  sentence,
  view,
  chain: chain.map(({ id }) => id),
  sinceThen,
  knownLater,
});

describe('why a member has access', () => {
  it('is answered over HTTP as the rules answer it, before and after more is known, by every process', async () => {
    await checkAsyncProperty(
      fc.asyncProperty(
        lives,
        fc.nat(),
        fc.constantFrom<Knowledge>('then', 'now'),
        async (life, cut, knowledge) => {
          const all = life.tape.events.length;
          const first = 1 + (cut % all);
          const { accountId, append, history } = await appendTape(api.store, life.tape, first);
          await api.project();
          const instants = life.tape.events.map(({ metadata }) => metadata.occurredAt);
          const early = instants[first - 1] ?? '';
          expect(shown(await explain(accountId, early, { knowledge }))).toEqual(
            expected(history(BigInt(first)), early, knowledge),
          );
          await append(first, all);
          await api.project();
          for (const at of [early, instants.at(-1) ?? '']) {
            const wanted = expected(history(BigInt(all)), at, knowledge);
            expect(shown(await explain(accountId, at, { knowledge }))).toEqual(wanted);
            expect(shown(await explain(accountId, at, { knowledge, by: other }))).toEqual(wanted);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('stays the same while the read model is built again, and after it', async () => {
    const invoices = [paidInvoice('in_1', [day('01-01'), day('02-01')]), paidInvoice('in_2', february)];
    const tape = tell(
      tell(newTape, snapshot()),
      snapshot('active', { observedAt: day('02-01') }, { payments: invoices }),
    );
    const { accountId } = await appendTape(api.store, tape);
    await api.project();
    const before = await explain(accountId, day('02-02'));
    expect(before.chain.map(({ type }) => type)).toContain('MembershipRenewed');
    await api.databases.tapedeck.query(
      `delete from projection_checkpoints where projection = 'audit_timeline'`,
    );
    expect(shown(await explain(accountId, day('02-02')))).toEqual(shown(before));
    await api.project();
    for (const by of [api, other]) expect(await explain(accountId, day('02-02'), { by })).toEqual(before);
  });

  it('links what it names: objects of Stripe and events', async () => {
    const payments = [paidInvoice('in_1', [day('01-01'), day('02-01')])];
    const tape = tell(newTape, snapshot('active', {}, { payments }));
    const { accountId } = await appendTape(api.store, tape);
    await api.project();
    const { parts, sentence, chain } = await explain(accountId, day('01-02'));
    expect(parts.map(({ text }) => text).join('')).toBe(sentence);
    expect(parts[0]).toEqual({ text: 'Pro until Feb 1, 2026', isMain: true, link: null });
    const payment = chain.find(({ type }) => type === 'PaymentRecorded');
    expect(parts.map(({ link }) => link).filter((link) => link !== null)).toEqual([
      { kind: 'stripe', id: 'in_1', url: 'https://dashboard.stripe.com/test/invoices/in_1' },
      { kind: 'event', id: payment?.id, url: null },
      { kind: 'event', id: chain.find(({ type }) => type === 'MembershipActivated')?.id, url: null },
    ]);
  });

  it('quotes the reason of the grant, until the account is deleted', async () => {
    const granted = grant(newTape, { id: 'g', tier: 'Elite', until: null }, day('03-01'));
    const { accountId } = await appendTape(api.store, granted);
    await api.project();
    expect(await explain(accountId, day('03-02'))).toMatchObject({ reason: 'Reason of g.' });
    await api.add(accountStream(accountId), 'AccountForgotten', { accountId });
    await api.store.forget(accountId);
    await api.project();
    expect(await explain(accountId, day('03-02'))).toMatchObject({ reason: null });
  });

  it('is compared between two days', async () => {
    const invoices = [paidInvoice('in_1', [day('01-01'), day('02-01')]), paidInvoice('in_2', february)];
    const bought: Tape = tell(newTape, snapshot());
    const renewed = tell(bought, snapshot('active', { observedAt: day('02-01') }, { payments: invoices }));
    const tape = revoke(grant(renewed, { id: 'g', tier: 'Elite', until: null }, day('02-03')), day('02-04'));
    const { accountId } = await appendTape(api.store, tape);
    await api.project();
    const path = `${auditRoutes.difference(accountId)}?from=${day('01-15')}&to=${day('02-03')}`;
    const { fields } = AccessDifference.parse((await api.call('GET', path)).body);
    const changes = Object.fromEntries(fields.map(({ field, before, after }) => [field, [before, after]]));
    expect(changes).toMatchObject({
      tier: ['Pro', 'Elite'],
      status: ['active', 'complimentary'],
      paid: [999, 1_998],
    });
  });
});
