import { DomainError } from '@tapedeck/kernel';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { name, type RoleNames } from './role-names.ts';

export type Passwords = Readonly<Partial<Record<'api' | 'projector' | 'console', string>>>;

/** What the server stores of a password: so the password itself is in no statement and no log. */
const verifierOf = (password: string): string => {
  const [salt, rounds] = [randomBytes(16), 4_096];
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const keyOf = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
};

const missingRole = (role: string): DomainError =>
  new DomainError(
    'invalid',
    'DATABASE_ROLE_MISSING',
    `The role ${role} does not exist: create it, or set API_DATABASE_PASSWORD and PROJECTOR_DATABASE_PASSWORD so that it is created.`,
  );

export const createRoles = async (
  admin: pg.Client,
  roles: RoleNames,
  passwords: Passwords,
): Promise<void> => {
  const { rows } = await admin.query<{ rolname: string }>('select rolname from pg_roles');
  const existing = new Set(rows.map(({ rolname }) => rolname));
  if (!existing.has(roles.owner)) await admin.query(`create role ${name(roles.owner)} nologin`);
  for (const kind of ['api', 'projector'] as const) {
    const [role, password] = [roles[kind], passwords[kind]];
    if (password === undefined && !existing.has(role)) throw missingRole(role);
    if (password === undefined) continue;
    const verb = existing.has(role) ? 'alter' : 'create';
    await admin.query(
      `${verb} role ${name(role)} login noinherit password ${pg.escapeLiteral(verifierOf(password))}`,
    );
  }
};

/**
 * A statement of an admin must not be able to change these: they are set by another role. The server's log repeats no
 * statement, nor a part of one in an error: the tape is the record, whose texts can be forgotten.
 */
const consoleSettings = [
  'temp_file_limit = 131072',
  `log_statement = 'none'`,
  `log_min_error_statement = 'panic'`,
  `log_min_messages = 'fatal'`,
];

/**
 * The roles as which statements of the SQL console run, where they have a password: they own nothing. The owner of the
 * functions is a member of them, so that one of its functions can end their queries.
 */
export const createConsoleRoles = async (
  admin: pg.Client,
  { owner, console: consoleRoles }: RoleNames,
  { console: password }: Passwords,
): Promise<void> => {
  const { rows } = await admin.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  for (const role of consoleRoles) {
    const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role]);
    if (password === undefined) continue;
    const verifier = pg.escapeLiteral(verifierOf(password));
    await admin.query(
      `${rowCount ? 'alter' : 'create'} role ${name(role)} login noinherit connection limit 3 password ${verifier}`,
    );
    await admin.query(`grant ${name(role)} to ${name(owner)}`);
    if (rows[0]?.super)
      for (const setting of consoleSettings) await admin.query(`alter role ${name(role)} set ${setting}`);
  }
};

/** @throws DomainError DATABASE_ROLE_TOO_STRONG when a process would have more rights than are granted here. */
export const assertWeak = async (admin: pg.Client, roles: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ rolname: string }>(
    `select rolname from pg_roles r
     where rolname = any($1) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
       or exists (select from pg_auth_members m where m.member = r.oid))`,
    [[roles.api, roles.projector, ...roles.console]],
  );
  const [strong] = rows;
  if (!strong) return;
  throw new DomainError(
    'invalid',
    'DATABASE_ROLE_TOO_STRONG',
    `The role ${strong.rolname} has attributes or memberships that give it further rights: remove them, or name other roles with DATABASE_ROLE_PREFIX.`,
  );
};
