import { describe, expect, it } from '@jest/globals';
import { adminSections } from '../pages/admin/sections.ts';
import { routesFor, type Role } from './routes.ts';

const adminPaths = (role: Role): readonly string[] =>
  routesFor(role)
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/admin/'));

describe('the pages of the palette', () => {
  it('are those of the role', () => {
    expect(adminPaths({ isSupport: false, isAdmin: false })).toEqual([]);
    expect(adminPaths({ isSupport: true, isAdmin: false })).toEqual(
      adminSections.filter(({ isForAdmins }) => !isForAdmins).map(({ path }) => path),
    );
    expect(adminPaths({ isSupport: false, isAdmin: true })).toEqual(adminSections.map(({ path }) => path));
  });

  it('have different names', () => {
    const names = routesFor({ isSupport: true, isAdmin: true }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
