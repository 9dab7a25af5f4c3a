import { defineEffect, type Effect, type EventStore } from '@tapedeck/eventing';
import type { Databases } from '@tapedeck/platform/databases';
import { type AccountForgotten, type RoleGranted, type RoleRevoked } from '../domain/account.ts';
import { accounts } from '../domain/decide.ts';
import { applyRoles } from '../roles/account-roles.ts';
import { completeForgetting } from './forgetting.ts';

export type IdentityPorts = Readonly<{ store: EventStore; databases: Databases }>;

type Handled = RoleGranted | RoleRevoked | AccountForgotten;

/**
 * Completes what the process that appended the event also does at once: roles count for the next request, and nothing is left of
 * a deleted account. It only makes a difference when that process has died in between.
 */
const accountAccess = ({ store, databases: { tapedeck: pool } }: IdentityPorts): Effect =>
  defineEffect<Handled>({
    name: 'account-access',
    afterReplay: 'run',
    types: { RoleGranted: true, RoleRevoked: true, AccountForgotten: true },
    run: async ({ type, data, stream }, { read }) => {
      if (type === 'AccountForgotten') await completeForgetting({ store, pool }, data.accountId);
      else await applyRoles(pool, data.accountId, await read(accounts, stream));
      return [];
    },
  });

export const identityEffects = (ports: IdentityPorts): readonly Effect[] => [accountAccess(ports)];
