import { parseArgs } from 'node:util';
import { commandContext, readable, type Actor } from '@tapedeck/eventing';
import { accountId, DomainError, foldEmail, messageOf, type AccountId, type Clock } from '@tapedeck/kernel';
import type { AccountRole } from '../domain/account.ts';
import { changeRole, type RoleChanges } from './account-roles.ts';
import { findAccounts, type FoundAccount } from './find-accounts.ts';

type Output = Readonly<{ write: (text: string) => unknown }>;

export type RunRoleCommandOptions = RoleChanges &
  Readonly<{ args: readonly string[]; clock: Clock; output?: Output; errors?: Output }>;

const actor: Actor = { id: 'command-line', kind: 'system' };
const defaultReason = 'at the command line';
const usage =
  'Usage: npm run role -- grant|revoke admin|support EMAIL [--reason TEXT], or npm run role -- list';

type Parsed =
  | Readonly<{ kind: 'list' }>
  | Readonly<{ kind: 'change'; verb: 'grant' | 'revoke'; role: AccountRole; who: string; reason: string }>;

const wrongUsage = (): DomainError => new DomainError('invalid', 'USAGE', usage);

const parse = (args: readonly string[]): Parsed => {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { reason: { type: 'string', default: defaultReason } },
    allowPositionals: true,
  });
  const [verb, role, who, ...more] = positionals;
  if (verb === 'list' && role === undefined) return { kind: 'list' };
  if (verb !== 'grant' && verb !== 'revoke') throw wrongUsage();
  if ((role !== 'admin' && role !== 'support') || who === undefined || more.length > 0) throw wrongUsage();
  return { kind: 'change', verb, role, who, reason: values.reason };
};

const emailOf = ({ account }: FoundAccount): string => readable(account.email, 'deleted account');

const lineOf = (found: FoundAccount): string =>
  `${found.account.roles.join(', ').padEnd(16)}${emailOf(found)}  ${found.id}\n`;

/** An address that is not verified could be that of somebody else. */
const accountWith = async (store: RoleChanges['store'], email: string): Promise<AccountId> => {
  const folded = foldEmail(email);
  const found = await findAccounts(store, (account) => foldEmail(readable(account.email, '')) === folded);
  const verified = found.filter(({ account }) => account.emailVerified);
  const [only, ...others] = verified;
  if (only && others.length === 0) return only.id;
  if (only) {
    const ids = verified.map(({ id }) => id).join(', ');
    const reason = `Several accounts have the address ${email}: give the id of one instead: ${ids}.`;
    throw new DomainError('conflict', 'SEVERAL_ACCOUNTS', reason);
  }
  const reason =
    found.length > 0
      ? `The sign-in provider has not verified the address ${email}, which could be anybody's: verify it there, then sign in again.`
      : `There is no account with the address ${email}: its owner has to sign in once.`;
  throw new DomainError('not-found', 'NO_SUCH_ACCOUNT', reason);
};

const execute = async (options: RunRoleCommandOptions, parsed: Parsed): Promise<string> => {
  const { store, clock } = options;
  if (parsed.kind === 'list') {
    const found = await findAccounts(store, ({ roles }) => roles.length > 0);
    return found.length === 0 ? 'No account has a role.\n' : found.map(lineOf).toSorted().join('');
  }
  const { verb, role, who, reason } = parsed;
  const id = who.includes('@') ? await accountWith(store, who) : accountId(who);
  const type = verb === 'grant' ? 'GrantRole' : 'RevokeRole';
  const command = { type, accountId: id, role, reason } as const;
  const changed = await changeRole(options, command, commandContext({ actor, clock }));
  if (!changed)
    return verb === 'grant'
      ? `${who} has the role ${role} already.\n`
      : `${who} does not have the role ${role}.\n`;
  return verb === 'grant'
    ? `${who} has the role ${role} from the next sign-in on.\n`
    : `${who} no longer has the role ${role}, and is signed out.\n`;
};

/** Executes `npm run role`; returns the exit status. */
export const runRoleCommand = async (options: RunRoleCommandOptions): Promise<number> => {
  const { output = process.stdout, errors = process.stderr } = options;
  try {
    output.write(await execute(options, parse(options.args)));
    return 0;
  } catch (error) {
    const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ?? false;
    errors.write(`✗ ${isUsage ? usage : messageOf(error)}\n`);
    return 1;
  }
};
