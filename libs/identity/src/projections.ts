import type { Projection } from '@tapedeck/eventing';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { rolesSql } from './migrations/roles.ts';
import { sessionPlacesSql } from './migrations/session-places.ts';
import { sessionsSql } from './migrations/sessions.ts';
import { accounts } from './projections/accounts.ts';
import { sentMails } from './projections/sent-mails.ts';

export { identityEffects, type IdentityPorts } from './effects/account-access.ts';

export const identityProjections: readonly Projection[] = [accounts, sentMails];

export const identityMigrations: readonly Migration[] = [
  { id: 'identity/001-sessions', database: 'tapedeck', sql: sessionsSql },
  { id: 'identity/002-roles', database: 'tapedeck', sql: rolesSql },
  { id: 'identity/003-session-places', database: 'tapedeck', sql: sessionPlacesSql },
];

export const identityGrants: readonly Grant[] = [
  {
    database: 'tapedeck',
    on: 'table sessions',
    api: 'select, insert, update, delete',
    projector: 'select, delete',
  },
  // Roles are given on the command line, which has the role of the projector.
  { database: 'tapedeck', on: 'table account_roles', api: 'select', projector: 'select, insert, update' },
];
