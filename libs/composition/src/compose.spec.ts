import { describe, expect, it } from '@jest/globals';
import { dueDatesTable, type Effect, type Projection, type Reaction } from '@tapedeck/eventing';
import { compose } from './compose.ts';
import { databases, eventTypes, migrations, projections } from './modules.ts';

const projection = (name: string, types: readonly string[]): Projection => ({
  name,
  version: 1,
  database: 'tapedeck',
  types,
  tables: [],
  fold: () => [],
});

const reaction = (name: string, types: readonly string[] = []): Reaction => ({
  name,
  types,
  react: () => [],
});
const effect = (name: string, types: readonly string[] = []): Effect => ({
  name,
  types,
  afterReplay: 'run',
  run: async () => [],
});

const migration = { id: '001', database: 'tapedeck', sql: 'select 1' } as const;
const tape = { name: 'tape', databases: { tapedeck: () => 'postgres://tapedeck' } };

describe('compose', () => {
  it('lists the parts of all modules in the order of the modules', () => {
    const first = { name: 'first', eventTypes: { A: { version: 1 } }, projections: [projection('a', ['A'])] };
    const second = { name: 'second', eventTypes: { B: { version: 2, upcasters: [] } } };
    const { effects, reactions, ...parts } = compose([tape, first, second]);
    expect([effects({}), reactions({ GRACE_DAYS: 14 })]).toEqual([[], []]);
    expect(parts).toEqual({
      databases: tape.databases,
      eventTypes: { A: { version: 1 }, B: { version: 2, upcasters: [] } },
      projections: first.projections,
      dueDates: [],
      migrations: [],
      grants: [],
    });
  });

  it('refuses a database that two modules contribute', () => {
    const twice = [tape, { ...tape, name: 'second' }];
    expect(() => compose(twice)).toThrow('The modules tape and second both contribute the database tapedeck');
  });

  it('refuses an event type that two modules contribute', () => {
    const twice = ['first', 'second'].map((name) => ({ name, eventTypes: { A: { version: 1 } } }));
    expect(() => compose(twice)).toThrow('The modules first and second both contribute the event type A');
  });

  it('refuses a projection that two modules contribute', () => {
    const twice = ['first', 'second'].map((name) => ({ name, projections: [projection('a', [])] }));
    expect(() => compose(twice)).toThrow('The modules first and second both contribute the projection a');
  });

  it('refuses a migration that two modules contribute', () => {
    const twice = ['first', 'second'].map((name) => ({ name, migrations: [migration] }));
    expect(() => compose(twice)).toThrow('The modules first and second both contribute the migration 001');
  });

  it('refuses a projection of an event type that no module contributes', () => {
    const reader = { name: 'first', projections: [projection('a', ['A'])] };
    expect(() => compose([tape, reader])).toThrow('The projection a reads the event type A');
  });

  it('refuses a projection in a database that no module contributes', () => {
    const reader = { name: 'first', projections: [projection('a', [])] };
    expect(() => compose([reader])).toThrow('The projection a uses the database tapedeck');
  });

  it('refuses a reaction, effect or due date with the name of another one, or of a projection', () => {
    const filled = {
      ...tape,
      projections: [{ ...projection('filled', []), tables: [dueDatesTable('due')] }],
    };
    const parts = [
      { projections: [projection('a', [])] },
      { reactions: () => [reaction('a')] },
      { dueDates: [{ name: 'a', projection: 'filled', table: 'due', dispatch: () => [] }] },
      { effects: () => [effect('a')] },
    ];
    for (const one of parts) {
      for (const other of parts.filter((part) => part !== one)) {
        const modules = [filled, { name: 'first', ...one }, { name: 'second', ...other }];
        expect(() => compose<string>(modules).effects({})).toThrow('both contribute the checkpoint a');
      }
    }
  });

  it('refuses a reaction and an effect of an event type that no module contributes', () => {
    expect(() => compose([{ name: 'first', reactions: () => [reaction('a', ['A'])] }])).toThrow(
      'The reaction a reads the event type A',
    );
    const { effects } = compose([{ name: 'first', effects: () => [effect('a', ['A'])] }]);
    expect(() => effects({})).toThrow('The effect a reads the event type A');
  });

  it('refuses due dates from a table that no projection has', () => {
    const dueDates = [{ name: 'a', projection: 'b', table: 'due', dispatch: () => [] }];
    const projections = [projection('b', [])];
    expect(() => compose([tape, { name: 'first', projections, dueDates }])).toThrow(
      'The due dates a are read from the table due of the projection b',
    );
  });

  it('makes the effects of all modules from the ports that each of them needs', () => {
    const modules = [
      { name: 'first', effects: ({ bank }: { bank: string }) => [effect(bank)] },
      { name: 'second', effects: ({ mail }: { mail: string }) => [effect(mail)] },
    ] as const;
    const { effects } = compose<string, { bank: string; mail: string }>(modules);
    expect(effects({ bank: 'a', mail: 'b' }).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('refuses a migration of a database that no module contributes', () => {
    expect(() => compose([{ name: 'first', migrations: [migration] }])).toThrow(
      'The migration 001 uses the database tapedeck',
    );
  });
});

describe('the modules of the product', () => {
  it('contribute databases, event types, projections and migrations', () => {
    expect(Object.keys(databases)).toEqual(['tapedeck', 'catalogue']);
    expect(Object.keys(eventTypes)).toContain('FavouriteAdded');
    expect(projections.map(({ name }) => name)).toContain('favourites');
    expect(migrations.length).toBeGreaterThan(0);
  });
});
