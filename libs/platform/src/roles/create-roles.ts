import { DomainError } from '@tapedeck/kernel';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { name, type RoleNames } from './role-names.ts';

export type Passwords = Readonly<Partial<Record<'api' | 'projector', string>>>;

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

/** @throws DomainError DATABASE_ROLE_TOO_STRONG when a process would have more rights than are granted here. */
export const assertWeak = async (admin: pg.Client, roles: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ rolname: string }>(
    `select rolname from pg_roles r
     where rolname = any($1) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
       or exists (select from pg_auth_members m where m.member = r.oid))`,
    [[roles.api, roles.projector]],
  );
  const [strong] = rows;
  if (!strong) return;
  throw new DomainError(
    'invalid',
    'DATABASE_ROLE_TOO_STRONG',
    `The role ${strong.rolname} has attributes or memberships that give it further rights: remove them, or name other roles with DATABASE_ROLE_PREFIX.`,
  );
};
