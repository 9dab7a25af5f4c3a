import type pg from 'pg';

export type FoundById = Readonly<{
  accounts: readonly Readonly<{ id: string; matched: string }>[];
  /** Subscriptions that belong to no account. */
  purchases: readonly string[];
}>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** From an id to what it belongs to, and from there to the subscription or checkout, and to its owners. */
const upSql = `
  with recursive up (subject, kind) as (
    (select $1::text, null::text
     union all
     select t.subject, 'event' from audit_timeline t where t.event_id = $2::uuid)
    union
    select r.subject, coalesce(up.kind, r.kind) from up
      join audit_references r on r.reference = up.subject and r.kind <> 'alone'
  )`;

const accountsSql = `
  ${upSql}, found as (
    select o.account_id, up.kind from up join audit_owners o on o.subject = up.subject
    union all
    select p.account_id, coalesce(up.kind, 'account') from up
      join audit_people p on p.account_id = case when up.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then up.subject::uuid end
  )
  select account_id as id, coalesce(min(kind), case when $1 like 'sub\\_%' then 'subscription' else 'checkout' end) as matched
    from found group by account_id order by account_id limit 21`;

const purchasesSql = `
  ${upSql} select distinct p.subscription_id as id from up join audit_purchases p on p.subscription_id = up.subject
   where p.is_claimable limit 21`;

/** Members and purchases by one exact id: ours, or one of Stripe. */
export const findById = async (pool: pg.Pool, text: string): Promise<FoundById> => {
  const id = text.trim();
  // Names and e-mail addresses are no ids.
  if (!/^[A-Za-z0-9_-]{3,255}$/u.test(id)) return { accounts: [], purchases: [] };
  const values = [
    uuid.test(id.toLowerCase()) ? id.toLowerCase() : id,
    uuid.test(id.toLowerCase()) ? id : null,
  ];
  const [accounts, purchases] = await Promise.all([
    pool.query<{ id: string; matched: string }>(accountsSql, values),
    pool.query<{ id: string }>(purchasesSql, values),
  ]);
  return { accounts: accounts.rows, purchases: purchases.rows.map((row) => row.id) };
};
