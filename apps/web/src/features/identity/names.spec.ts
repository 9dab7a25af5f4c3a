import { describe, expect, it } from '@jest/globals';
import { displayName, initials } from './names.ts';

const person = (firstName: string | null, lastName: string | null, email = 'nora@example.com') => ({
  firstName,
  lastName,
  email,
});

describe('displayName and initials', () => {
  it('use the name, or the e-mail if there is no name', () => {
    expect(
      [person('Nora', 'Vance'), person('Nora', null), person(null, 'Vance'), person(null, null, '')].map(
        displayName,
      ),
    ).toEqual(['Nora Vance', 'Nora', 'nora', 'User']);
    expect(
      [person('nora', 'vance'), person('Nora', null), person(null, 'Vance'), person(null, null, '')].map(
        initials,
      ),
    ).toEqual(['NV', 'N', 'N', 'U']);
  });
});
