import { describe, expect, it } from '@jest/globals';
import { outsideEffects } from '@tapedeck/replay/testing';
import { effects, eventCategories, projections } from './modules.ts';

const replayed: readonly (string | undefined)[] = ['stripe', 'payments', 'membership'];
const concerned = projections.filter(({ types }) =>
  types.every((type) => replayed.includes(eventCategories[type])),
);

describe('a read model of the events that a replay can append', () => {
  it.each(concerned)('$name says what a replay does with each of its tables', ({ replay, tables }) => {
    expect(replay).toBeDefined();
    const compared = Object.keys(replay?.compares ?? {});
    expect([[], tables.map(({ name }) => name)]).toContainEqual(compared);
  });

  it('is a source of a replay, or compared by it, or repeats others', () => {
    const namesOf = (holds: (one: (typeof projections)[number]) => unknown): readonly string[] =>
      concerned.filter(holds).map(({ name }) => name);
    expect(namesOf(({ replay }) => replay?.isSource)).toEqual(['stripe_inbox', 'checkouts', 'subscriptions']);
    expect(namesOf(({ replay }) => !replay?.isSource && !replay?.compares)).toEqual([
      'payment_queues',
      'money_proposals',
      'price_notices',
      'figures',
    ]);
  });
});

it('every effect that a replay does not run is known as one that sends something', () => {
  // Their ports are used when they run.
  const ports: Parameters<typeof effects>[0] = new Proxy({} as typeof ports, { get: () => ports });
  const sending = effects(ports).filter(({ afterReplay }) => afterReplay !== 'run');
  expect(sending.map(({ name }) => name).sort()).toEqual(Object.keys(outsideEffects).sort());
});
