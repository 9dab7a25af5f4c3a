import { describe, expect, it } from '@jest/globals';
import type { Projection } from '@tapedeck/eventing';
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

const migration = { id: '001', database: 'tapedeck', sql: 'select 1' } as const;
const tape = { name: 'tape', databases: { tapedeck: () => 'postgres://tapedeck' } };

describe('compose', () => {
  it('lists the parts of all modules in the order of the modules', () => {
    const first = { name: 'first', eventTypes: { A: { version: 1 } }, projections: [projection('a', ['A'])] };
    const second = { name: 'second', eventTypes: { B: { version: 2, upcasters: [] } } };
    expect(compose([tape, first, second])).toEqual({
      databases: tape.databases,
      eventTypes: { A: { version: 1 }, B: { version: 2, upcasters: [] } },
      projections: first.projections,
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
