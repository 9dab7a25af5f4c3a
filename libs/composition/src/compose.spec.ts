import { describe, expect, it } from '@jest/globals';
import type { Projection } from '@tapedeck/eventing';
import { compose } from './compose.ts';
import { eventTypes, migrations, projections } from './modules.ts';

const projection = (name: string, types: readonly string[]): Projection => ({
  name,
  version: 1,
  database: 'tapedeck',
  types,
  tables: [],
  fold: () => [],
});

describe('compose', () => {
  it('lists the parts of all modules in the order of the modules', () => {
    const first = { name: 'first', eventTypes: { A: { version: 1 } }, projections: [projection('a', ['A'])] };
    const second = { name: 'second', eventTypes: { B: { version: 2, upcasters: [] } } };
    expect(compose([first, second])).toEqual({
      eventTypes: { A: { version: 1 }, B: { version: 2, upcasters: [] } },
      projections: first.projections,
      migrations: [],
    });
  });

  it('refuses an event type that two modules bring', () => {
    const twice = ['first', 'second'].map((name) => ({ name, eventTypes: { A: { version: 1 } } }));
    expect(() => compose(twice)).toThrow('The modules first and second both bring the event type A');
  });

  it('refuses a projection that two modules bring', () => {
    const twice = ['first', 'second'].map((name) => ({ name, projections: [projection('a', [])] }));
    expect(() => compose(twice)).toThrow('The modules first and second both bring the projection a');
  });

  it('refuses a migration that two modules bring', () => {
    const migration = { id: '001', database: 'tapedeck', sql: 'select 1' } as const;
    const twice = ['first', 'second'].map((name) => ({ name, migrations: [migration] }));
    expect(() => compose(twice)).toThrow('The modules first and second both bring the migration 001');
  });

  it('refuses a projection of an event type that no module brings', () => {
    const lonely = { name: 'first', projections: [projection('a', ['A'])] };
    expect(() => compose([lonely])).toThrow('The projection a reads the event type A');
  });

  it('accepts the modules of the product', () => {
    expect(Object.keys(eventTypes)).toContain('FavouriteAdded');
    expect(projections.map(({ name }) => name)).toContain('favourites');
    expect(migrations.length).toBeGreaterThan(0);
  });
});
