import { handle, type CommandContext, type EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type pg from 'pg';
import { type Account, accountStream, identityEvents } from '../domain/account.ts';
import { accountDecider, type GrantRole, type RevokeRole } from '../domain/decide.ts';

const write = `
  insert into account_roles as r (account_id, roles, version) values ($1, $2, $3)
  on conflict (account_id) do update set roles = excluded.roles, version = excluded.version
   where r.version < excluded.version`;

/** Lets requests see the roles that the stream has, and ends the sessions from before; an older state changes nothing. */
export const applyRoles = async (pool: pg.Pool, account: AccountId, state: Account): Promise<void> => {
  if (state.status !== 'registered' || state.roleChanges === 0) return;
  await pool.query(write, [account, state.roles, state.roleChanges]);
  // They do not count any more; only their rows are left.
  const outdated = 'delete from sessions where account_id = $1 and roles_version < $2';
  await pool.query(outdated, [account, state.roleChanges]);
};

export type RoleChanges = Readonly<{ store: EventStore; pool: pg.Pool }>;

/**
 * Executes the command; its result counts for the next request, whether the projector runs or not. When that fails after
 * the event was appended, the same command completes it. Returns whether it changed anything on the tape.
 *
 * @throws DomainError NO_SUCH_ACCOUNT, ACCOUNT_FORGOTTEN
 */
export const changeRole = async (
  { store, pool }: RoleChanges,
  command: GrantRole | RevokeRole,
  context: CommandContext,
): Promise<boolean> => {
  const execute = handle(store, accountDecider, identityEvents);
  const { state, changed } = await execute(accountStream(command.accountId), command, context);
  await applyRoles(pool, command.accountId, state);
  return changed;
};
