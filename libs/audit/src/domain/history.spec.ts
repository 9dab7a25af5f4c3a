import { describe, expect, it } from '@jest/globals';
import { checkProperty } from '@tapedeck/eventing/testing';
import { accessAt, noMembership } from '@tapedeck/membership/testing';
import { day, paidInvoice, snapshot } from '@tapedeck/payments/testing';
import fc from 'fast-check';
import { iso, lives, promptAndLate, type Life } from '../testing/random-tape.ts';
import { historyOf, newTape, passTo, tell } from '../testing/tape.ts';
import { explainAt } from './explain.ts';
import {
  eventsUntil,
  extendHistory,
  memberHistory,
  type MemberEvent,
  type MemberHistory,
} from './history.ts';
import { textOf } from './sentence-parts.ts';
import { explainTruthAt, truthAt } from './truth.ts';
import { viewAt } from './view.ts';

/** Instants between the first event and a month after the last one: 0 to 1. */
const when = fc.double({ min: 0, max: 1, noNaN: true });
const instantOf = ({ stripe: { startedAt, now } }: Life, share: number, daysAfter = 31): string =>
  iso(Math.round(startedAt + (now + daysAfter * 86_400_000 - startedAt) * share));

const without = (history: MemberHistory, removed: MemberEvent): MemberHistory =>
  memberHistory(
    history.events.filter((event) => event !== removed),
    history.options,
  );

describe('what was known at an instant', () => {
  it('is what the membership was after the events that were recorded by then', () => {
    checkProperty(
      fc.property(lives, when, (life, share) => {
        const at = instantOf(life, share);
        const { tape } = life;
        const history = historyOf(tape);
        const membership = tape.steps.findLast((step) => step.at <= at)?.membership ?? noMembership;
        const { tier, status, hasAccess, until } = accessAt(membership, at);
        const recorded = tape.events.filter(({ metadata }) => metadata.occurredAt <= at);
        const view = viewAt(history, at);
        expect(view).toMatchObject({ tier, status, hasAccess, accessUntil: until });
        expect(viewAt(memberHistory(recorded, history.options), at)).toEqual(view);
        expect(explainAt(memberHistory(recorded, history.options), at)).toEqual(explainAt(history, at));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same for a history that grew in parts', () => {
    checkProperty(
      fc.property(lives, when, when, (life, share, cut) => {
        const at = instantOf(life, share);
        const { events, options } = historyOf(life.tape);
        const first = Math.floor(events.length * cut);
        const grown = extendHistory(memberHistory(events.slice(0, first), options), events.slice(first));
        expect(grown).toEqual(memberHistory(events, options));
        expect(explainAt(grown, at)).toEqual(explainAt(memberHistory(events, options), at));
      }),
      { numRuns: 100 },
    );
  });
});

describe('the order of a history', () => {
  /** By two clocks of which one is behind. */
  const written = [day('01-10'), day('01-08'), day('01-12'), day('01-11')].map((occurredAt, index) => ({
    ...historyOf(tell(newTape, snapshot())).events[0],
    id: `event ${index}`,
    metadata: { occurredAt },
    // Only the time matters here.
  })) as unknown as readonly MemberEvent[];
  const { options } = historyOf(newTape);

  it.each([0, 1, 2, 3, 4])(
    'is that of the tape where the clocks have differed, also when it grows by %i events',
    (added) => {
      const cut = written.length - added;
      const history = extendHistory(memberHistory(written.slice(0, cut), options), written.slice(cut));
      const known = (at: string): number => eventsUntil(history, at).length;
      expect(['01-07', '01-09', '01-10', '01-11', '01-12'].map((at) => known(day(at)))).toEqual([
        0, 0, 2, 2, 4,
      ]);
    },
  );
});

/** Those that decide by themselves; payments decide by what the membership has recorded of them. */
const ofMembership = ({ stream }: MemberEvent): boolean => stream.startsWith('membership-');
const ofPayments = ({ stream, type }: MemberEvent): boolean =>
  stream.startsWith('subscription-') && type !== 'StripeEventReceived';

const sameUntil = (chain: readonly MemberEvent[], removed: MemberEvent): boolean =>
  chain.some(
    (event) =>
      event.type === 'PaymentRecorded' &&
      removed.type === 'PaymentRecorded' &&
      event.data.periodEnd === removed.data.periodEnd,
  );

/** Renewed on February 1, which became known on the 25th. */
const lateRenewal = {
  history: historyOf(
    tell(
      passTo(tell(newTape, snapshot()), day('02-15')),
      snapshot(
        'active',
        { observedAt: day('02-25'), periodStart: day('02-01'), periodEnd: day('03-01') },
        {
          payments: [
            paidInvoice('in_1', [day('01-01'), day('02-01')]),
            paidInvoice('in_2', [day('02-01'), day('03-01')]),
          ],
        },
      ),
    ),
  ),
};

describe('the reason', () => {
  it('names only events of the membership without which the answer is another one', () => {
    checkProperty(
      fc.property(lives, when, (life, share) => {
        const at = instantOf(life, share);
        const history = historyOf(life.tape);
        const { chain, answer } = explainAt(history, at);
        for (const event of chain.filter(ofMembership))
          expect(explainAt(without(history, event), at).answer).not.toEqual(answer);
        const isGiven = answer.status !== 'none' && answer.status !== 'pending';
        if (isGiven) expect(chain.filter(ofMembership)).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('names only payments without which the answer, derived again, is another one or rests on another payment', () => {
    checkProperty(
      fc.property(lives, when, (life, share) => {
        const at = instantOf(life, share);
        const history = historyOf(life.tape);
        const { chain, answer } = explainTruthAt(history, at);
        expect(chain).toEqual(history.events.filter((event) => chain.includes(event)));
        for (const event of chain.filter(ofPayments)) {
          const other = explainTruthAt(without(history, event), at);
          if (event.type === 'PaymentRecorded' && sameUntil(other.chain, event)) continue;
          expect([event.type, other.answer]).not.toEqual([event.type, answer]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what was true at an instant', () => {
  it('is what was known then where every event of Stripe arrived at once', () => {
    checkProperty(
      fc.property(promptAndLate, when, ({ prompt, late }, share) => {
        const at = instantOf(prompt, share, 0);
        const { hasAccess, tier, paid } = viewAt(historyOf(prompt.tape), at);
        expect(truthAt(historyOf(late.tape), at)).toMatchObject({ hasAccess, tier, paid });
        expect(truthAt(historyOf(prompt.tape), at)).toMatchObject({ hasAccess, tier, paid });
      }),
      { numRuns: 500 },
    );
  });

  it('differs from what was known while an event of Stripe was on its way', () => {
    const { history } = lateRenewal;
    expect(viewAt(history, day('02-20'))).toMatchObject({ hasAccess: false });
    expect(truthAt(history, day('02-20'))).toMatchObject({ hasAccess: true, status: 'active' });
    expect(textOf(explainTruthAt(history, day('02-20')).sentence)).toBe(
      'Pro until Mar 1, 2026, because the invoice of $9.99 was paid on Feb 1, 2026.',
    );
  });
});
